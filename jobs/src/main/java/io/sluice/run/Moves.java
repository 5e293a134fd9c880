package io.sluice.run;

import io.sluice.sequencing.RowChange.Destination;
import io.sluice.sequencing.UpdateOutput;
import io.sluice.table.WriteOutcome;
import java.util.List;
import org.apache.iceberg.DataFile;

/**
 * The rows that an update moves out of files in which little is alive. They are committed only with
 * other rows that go: an update that merely adds rows stays an append, for those who read the table
 * as a stream.
 *
 * @param committed what becomes part of the table
 * @param dropped what does not, with files to be removed
 */
record Moves(List<WriteOutcome> committed, List<WriteOutcome> dropped) {

  static Moves of(List<UpdateOutput> outputs) {
    List<WriteOutcome> moved = StepCommitter.outcomes(outputs, Destination.MOVED);
    boolean onlyAdds =
        StepCommitter.outcomes(outputs, Destination.TARGET).stream()
            .allMatch(outcome -> outcome.deleted().isEmpty());
    return onlyAdds ? new Moves(List.of(), moved) : new Moves(moved, List.of());
  }

  /** Rows that have another place in the table now. */
  long rows() {
    return committed.stream()
        .flatMap(outcome -> outcome.dataFiles().stream())
        .mapToLong(DataFile::recordCount)
        .sum();
  }
}
