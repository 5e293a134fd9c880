package io.sluice.sequencing;

import io.sluice.table.RowSplit;
import io.sluice.table.Selection;
import java.util.List;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.util.Collector;
import org.apache.iceberg.Table;

/**
 * Reads the rows that are current, of all keys, with their location: every row of an SCD type 1
 * target, the open rows of an SCD type 2 target, all remembered events of a companion. Files that
 * hold closed rows only are skipped.
 */
public final class CurrentRowsFunction extends ProcessFunction<RowSplit, PackedRecord> {

  private static final long serialVersionUID = 1L;

  private final Table table;
  private final ExistingRowDecoder decoder;
  private final List<String> files;

  private transient RecordReader reader;
  private transient Selection selection;

  /**
   * @param table serializable copy of the table as of the planned snapshot
   * @param decoder makes records of its rows
   * @param files its data files by number
   */
  public CurrentRowsFunction(Table table, ExistingRowDecoder decoder, List<String> files) {
    this.table = table;
    this.decoder = decoder;
    this.files = List.copyOf(files);
  }

  @Override
  public void open(OpenContext context) {
    reader = new RecordReader(table, decoder, files, getRuntimeContext());
    selection = decoder.current();
  }

  @Override
  public void processElement(RowSplit split, Context context, Collector<PackedRecord> out) {
    reader.read(split, selection, out);
  }
}
