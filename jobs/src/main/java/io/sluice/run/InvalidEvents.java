package io.sluice.run;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.SluiceException;
import io.sluice.sequencing.InvalidEvent;
import io.sluice.sequencing.InvalidEventOperator;
import io.sluice.sequencing.UpdateOutput;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The records of a step that cannot be applied (semantics 0.3).
 *
 * @param counts how many, by flow
 * @param samples a few of them, by source position
 */
record InvalidEvents(Map<String, Long> counts, List<InvalidEvent> samples) {

  static InvalidEvents of(List<UpdateOutput> outputs) {
    Map<String, Long> counts = new TreeMap<>();
    List<InvalidEvent> samples = new ArrayList<>();
    for (UpdateOutput output : outputs) {
      if (output instanceof UpdateOutput.Invalid invalid) {
        counts.merge(invalid.flow(), invalid.count(), Long::sum);
        samples.addAll(invalid.samples());
      }
    }
    samples.sort(Comparator.comparing(InvalidEvent::position));
    return new InvalidEvents(counts, samples);
  }

  long of(String flow) {
    return counts.getOrDefault(flow, 0L);
  }

  /** Fails the update if there is any. */
  void failIfAny(String table) {
    failIfAny(
        table,
        "Correct the source, filter the records out in the query, or SET 'sluice.invalid-events' ="
            + " 'QUARANTINE' or 'DROP'");
  }

  /** The same for the rows of a snapshot, which cannot be left out. */
  void failSnapshotIfAny(String table) {
    failIfAny(table, "Correct the source, or filter the records out in the query");
  }

  private void failIfAny(String table, String remedy) {
    if (counts.isEmpty()) {
      return;
    }
    String perFlow =
        counts.entrySet().stream()
            .map(entry -> entry.getValue() + " of flow '" + entry.getKey() + "'")
            .collect(Collectors.joining(", "));
    String shown =
        samples.stream()
            .limit(InvalidEventOperator.SAMPLES)
            .map(event -> "\n  " + event)
            .collect(Collectors.joining());
    throw new SluiceException(
        ErrorCode.INVALID_EVENT,
        "table "
            + table
            + ": records that cannot be applied: "
            + perFlow
            + ", among them:"
            + shown
            + "\n",
        "Nothing was committed. " + remedy);
  }

  /** Fails the adoption of a table if it has rows that no history can have. */
  void failAdoption(String table) {
    if (counts.isEmpty()) {
      return;
    }
    throw new SluiceException(
        ErrorCode.INVALID_HISTORY,
        "table "
            + table
            + " cannot be adopted, it has "
            + of(table)
            + " rows that can belong to no history, among them:"
            + samples.stream()
                .limit(InvalidEventOperator.SAMPLES)
                .map(event -> "\n  " + event)
                .collect(Collectors.joining())
            + "\n",
        "Correct or delete these rows; the table was not changed but for missing columns");
  }
}
