package io.sluice.continuous;

import io.sluice.sequencing.UpdateOutput;
import java.io.Serializable;
import java.util.List;
import java.util.UUID;

/**
 * What one checkpoint of a continuous job changes in one target.
 *
 * @param id under which it is committed
 * @param outputs what the tasks handed over before the barrier
 */
public record Checkpoint(Id id, List<UpdateOutput> outputs) implements Serializable {

  /**
   * Which checkpoint of a run it is.
   *
   * @param number dense number within the run, from 1; it counts checkpoints with content
   * @param token random: a job that went back to an older checkpoint gives the same number to other
   *     content; empty for the commit with which the run begins
   */
  public record Id(long number, String token) implements Serializable {

    /** The begin of a run. */
    public static final Id BEGIN = new Id(0, "");

    static Id random(long number) {
      return new Id(number, UUID.randomUUID().toString().substring(0, 8));
    }

    @Override
    public String toString() {
      return Long.toString(number);
    }
  }

  public Checkpoint {
    outputs = List.copyOf(outputs);
  }
}
