package io.sluice.sequencing;

import io.sluice.sequencing.RowChange.Destination;
import io.sluice.table.WriteOutcome;
import java.io.Serializable;
import java.util.List;

/** What the tasks of an update hand to the driver, which alone commits. */
public sealed interface UpdateOutput extends Serializable {

  /**
   * Files written and rows deleted by one subtask, or a part of them.
   *
   * @param destination the table concerned
   * @param outcome what to commit
   */
  record Written(Destination destination, WriteOutcome outcome) implements UpdateOutput {}

  /**
   * Invalid records of one subtask.
   *
   * @param flow name of the flow
   * @param count how many
   * @param samples the first of them in source order, a handful at most
   */
  record Invalid(String flow, long count, List<InvalidEvent> samples) implements UpdateOutput {
    public Invalid {
      samples = List.copyOf(samples);
    }
  }

  /**
   * The greatest truncate event of one subtask's input, if it raises the floor (semantics 0.8).
   *
   * @param sequence its order-preserving bytes
   */
  record Truncated(byte[] sequence) implements UpdateOutput {}

  /**
   * The greatest sequence of remembered events whose retention has ended.
   *
   * @param sequence its order-preserving bytes
   */
  record Expired(byte[] sequence) implements UpdateOutput {}
}
