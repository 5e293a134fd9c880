package io.sluice.sequencing;

import io.sluice.table.RowSplit;
import io.sluice.table.Selection;
import java.util.List;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.util.Collector;
import org.apache.iceberg.Table;

/**
 * Reads the rows of a target, or what its companion remembers, of all keys, with their location:
 * either what is current (every row of an SCD type 1 target, the open rows of an SCD type 2 target,
 * all remembered events), which skips files that hold closed rows only, or everything.
 */
public final class HeldRowsFunction extends ProcessFunction<RowSplit, PackedRecord> {

  private static final long serialVersionUID = 1L;

  private final Table table;
  private final ExistingRowDecoder decoder;
  private final List<String> files;
  private final boolean currentOnly;

  private transient RecordReader reader;
  private transient Selection selection;

  private HeldRowsFunction(
      Table table, ExistingRowDecoder decoder, List<String> files, boolean currentOnly) {
    this.table = table;
    this.decoder = decoder;
    this.files = List.copyOf(files);
    this.currentOnly = currentOnly;
  }

  /**
   * Reads what is current.
   *
   * @param table serializable copy of the table as of the planned snapshot
   * @param decoder makes records of its rows
   * @param files its data files by number
   */
  public static HeldRowsFunction current(
      Table table, ExistingRowDecoder decoder, List<String> files) {
    return new HeldRowsFunction(table, decoder, files, true);
  }

  /** Reads everything; parameters as those of {@link #current}. */
  public static HeldRowsFunction all(Table table, ExistingRowDecoder decoder, List<String> files) {
    return new HeldRowsFunction(table, decoder, files, false);
  }

  @Override
  public void open(OpenContext context) {
    reader = new RecordReader(table, decoder, files, getRuntimeContext());
    selection = currentOnly ? decoder.current() : decoder.all();
  }

  @Override
  public void processElement(RowSplit split, Context context, Collector<PackedRecord> out) {
    reader.read(split, selection, out);
  }
}
