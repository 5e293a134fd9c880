package io.sluice.continuous;

import io.sluice.table.RowSplit;
import java.io.Serializable;
import java.util.List;

/**
 * Rows that one or more commits have appended to a table.
 *
 * @param splits where the rows lie
 * @param snapshot the newest of the snapshots that added them
 */
public record TableArrival(List<RowSplit> splits, long snapshot) implements Serializable {

  public TableArrival {
    splits = List.copyOf(splits);
  }

  /** The same without its rows. */
  TableArrival withoutSplits() {
    return new TableArrival(List.of(), snapshot);
  }
}
