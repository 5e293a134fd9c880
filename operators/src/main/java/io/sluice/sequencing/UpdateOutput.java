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
   * What one subtask found of the expectations of a table or view (semantics 0.11).
   *
   * @param flow name of the flow that read the rows
   * @param dataset full name of the table or view
   * @param number its place among those on the way of the flow's rows
   * @param dropped rows that were left out
   * @param counts one for each expectation
   */
  record Expected(
      String flow, String dataset, int number, long dropped, List<ExpectationCount> counts)
      implements UpdateOutput {
    public Expected {
      counts = List.copyOf(counts);
    }
  }

  /**
   * What a check of the cut-over found for one live flow (semantics 0.15).
   *
   * @param flow declaration order of the flow
   * @param keys keys with a violation
   * @param events live events at or below what the seeds gave their key
   * @param samples the least of these keys, a handful at most
   * @param boundary the greatest sequence of these events: behind it all is safe
   */
  record CutoverFound(
      int flow, long keys, long events, List<CutoverSample> samples, String boundary)
      implements UpdateOutput {
    public CutoverFound {
      samples = List.copyOf(samples);
    }
  }

  /**
   * A key whose live events begin too early.
   *
   * @param key its key columns
   * @param lastSeeded the last sequence that the seeds gave it
   * @param firstLive the sequence of its first live event
   */
  record CutoverSample(String key, String lastSeeded, String firstLive) implements Serializable {}

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

  /**
   * How far a flow of a continuous job has read one of its sources when the barrier passed.
   *
   * @param flow name of the flow
   * @param source id of the source
   * @param progress what was read since the last barrier; its form depends on the kind of source
   */
  record Read(String flow, String source, Serializable progress) implements UpdateOutput {}

  /**
   * A subtask of a continuous job whose state is not rebuilt yet: what it has received waits in its
   * state, so nothing of this checkpoint may be committed.
   */
  record Rebuilding() implements UpdateOutput {}
}
