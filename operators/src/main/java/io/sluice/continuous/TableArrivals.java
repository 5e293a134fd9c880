package io.sluice.continuous;

import io.sluice.table.AppendedRows;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.OptionalLong;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.flink.TableLoader;

/**
 * The commits that append to a table, all that are there at one look together.
 *
 * @param loader opens the table
 * @param after the snapshot up to which it was read before the job; null for none
 */
public record TableArrivals(TableLoader loader, Long after) implements Arrivals<TableArrival> {

  @Override
  public Search<TableArrival> open(List<TableArrival> handedOut) {
    Long start =
        handedOut.isEmpty() ? after : (Long) handedOut.get(handedOut.size() - 1).snapshot();
    return new Look(loader.clone(), start);
  }

  /** Only the last one counts. */
  @Override
  public List<TableArrival> remembered(List<TableArrival> handedOut) {
    return handedOut.isEmpty()
        ? handedOut
        : List.of(handedOut.get(handedOut.size() - 1).withoutSplits());
  }

  private static final class Look implements Search<TableArrival> {

    private final TableLoader loader;
    private Table table;
    private Long last;

    Look(TableLoader loader, Long last) {
      this.loader = loader;
      this.last = last;
    }

    @Override
    public List<TableArrival> next() {
      if (table == null) {
        loader.open();
        table = loader.loadTable();
      } else {
        table.refresh();
      }
      Snapshot current = table.currentSnapshot();
      if (current == null || (last != null && last == current.snapshotId())) {
        return List.of();
      }
      OptionalLong from = last == null ? OptionalLong.empty() : OptionalLong.of(last);
      TableArrival arrival =
          new TableArrival(
              AppendedRows.plan(table, from, current.snapshotId()), current.snapshotId());
      last = current.snapshotId();
      return List.of(arrival);
    }

    @Override
    public void close() {
      try {
        loader.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
