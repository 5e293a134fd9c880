package io.sluice.sequencing;

import io.sluice.history.StorageType;
import io.sluice.sequencing.KeyedRecord.ExistingRow;
import io.sluice.sequencing.RowChange.Destination;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.util.Collector;

/**
 * Moves the rows of one key out of files that the update empties, except those that its events
 * remove: each is deleted where it lies and inserted as it is. See {@link io.sluice.table.Tidying}.
 */
final class RowMover {

  private final StorageType type;
  private final SequencerPlan plan;
  private final RowChangeEncoder encoder;
  private final List<ExistingRow> moving = new ArrayList<>(2);

  RowMover(StorageType type, SequencerPlan plan, RowChangeEncoder encoder) {
    this.type = type;
    this.plan = plan;
    this.encoder = encoder;
  }

  /** Notes a row of a file that is emptied. */
  void add(ExistingRow row) {
    moving.add(row);
  }

  /** The row goes anyway. */
  void isRemoved(ExistingRow row) {
    moving.removeIf(each -> each == row);
  }

  /** Ends the key. */
  void move(Collector<RowChange> out) {
    for (ExistingRow row : moving) {
      out.collect(
          new RowChange.Delete(Destination.MOVED, plan.targetFile(row.file()), row.position()));
      RowChange.Insert insert = encoder.insert(row.version(type));
      out.collect(new RowChange.Insert(Destination.MOVED, insert.row(), insert.group()));
    }
    moving.clear();
  }
}
