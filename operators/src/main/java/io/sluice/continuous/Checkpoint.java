package io.sluice.continuous;

import io.sluice.sequencing.UpdateOutput;
import java.io.Serializable;
import java.util.List;

/**
 * What one checkpoint of a continuous job changes in one target.
 *
 * @param number dense number within the lineage, from 1; it counts checkpoints with content
 * @param outputs what the tasks handed over before the barrier
 */
public record Checkpoint(long number, List<UpdateOutput> outputs) implements Serializable {

  public Checkpoint {
    outputs = List.copyOf(outputs);
  }
}
