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
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.binary.BinaryRowData;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.util.Collector;

/** Finds rows of a table that can belong to no history of their key (semantics 0.17). */
public final class AdoptionFunction extends KeyedProcessFunction<Long, PackedRecord, InvalidEvent> {

  private static final long serialVersionUID = 1L;

  private final TargetLayout layout;
  private final List<String> files;

  private transient WaitingRecords<InvalidEvent> waiting;

  /**
   * @param files the table's data files by number
   */
  public AdoptionFunction(TargetLayout layout, List<String> files) {
    this.layout = layout;
    this.files = List.copyOf(files);
  }

  @Override
  public void open(OpenContext context) {
    waiting = new WaitingRecords<>(getRuntimeContext(), layout, this::check);
  }

  @Override
  public void processElement(PackedRecord record, Context context, Collector<InvalidEvent> out)
      throws Exception {
    waiting.add(record, context.getCurrentKey(), context.timerService());
  }

  @Override
  public void onTimer(long timestamp, OnTimerContext context, Collector<InvalidEvent> out)
      throws Exception {
    waiting.apply(out);
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
