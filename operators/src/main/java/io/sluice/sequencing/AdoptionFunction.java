package io.sluice.sequencing;

import io.sluice.history.History;
import io.sluice.history.InvalidHistoryException;
import io.sluice.history.Version;
import io.sluice.sequencing.KeyedRecord.ExistingRow;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.common.functions.RuntimeContext;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.binary.BinaryRowData;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.util.Collector;

/** Finds rows of a table that can belong to no history of their key (semantics 0.17). */
public final class AdoptionFunction extends KeyAtATime<InvalidEvent> {

  private static final long serialVersionUID = 1L;

  private final List<String> files;

  /**
   * @param files the table's data files by number
   */
  public AdoptionFunction(TargetLayout layout, List<String> files) {
    super(layout);
    this.files = List.copyOf(files);
  }

  @Override
  KeyApplier<InvalidEvent> applier(RuntimeContext context) {
    return this::check;
  }

  private void check(List<KeyedRecord> rows, Collector<InvalidEvent> out) {
    Map<Version<?>, ExistingRow> located = new IdentityHashMap<>();
    List<Version<BinaryRowData>> versions = new ArrayList<>(rows.size());
    for (KeyedRecord record : rows) {
      ExistingRow row = (ExistingRow) record;
      Version<BinaryRowData> version = row.version(layout.type());
      located.put(version, row);
      versions.add(version);
    }
    try {
      History.recover(layout.type(), layout.values(), versions, List.of());
    } catch (InvalidHistoryException e) {
      ExistingRow row = located.get(e.row());
      out.collect(
          new InvalidEvent(
              layout.table(),
              e.reason().text(),
              files.get((int) row.file()) + " (row " + row.position() + ")",
              RowText.of(layout.columns(), row.values()),
              ""));
    }
  }

  /** A row of a table with a NULL in its key. */
  public static final class WithoutKey implements MapFunction<RowData, InvalidEvent> {

    private static final long serialVersionUID = 1L;

    private final String table;
    private final RowType columns;

    /**
     * @param columns the user columns of the table, which the rows have
     */
    public WithoutKey(String table, RowType columns) {
      this.table = table;
      this.columns = columns;
    }

    @Override
    public InvalidEvent map(RowData row) {
      return new InvalidEvent(
          table, "a key column is NULL", "table " + table, RowText.of(columns, row), "");
    }
  }
}
