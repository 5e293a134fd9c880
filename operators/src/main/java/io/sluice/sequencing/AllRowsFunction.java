package io.sluice.sequencing;

import io.sluice.table.RowSplit;
import io.sluice.table.Selection;
import java.util.List;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.util.Collector;
import org.apache.iceberg.Table;

/**
 * Reads all rows of a target, or all remembered events of a companion, with their location: what a
 * continuous job rebuilds its state from.
 */
public final class AllRowsFunction extends ProcessFunction<RowSplit, PackedRecord> {

  private static final long serialVersionUID = 1L;

  private final Table table;
  private final ExistingRowDecoder decoder;
  private final List<String> files;

  private transient RecordReader reader;
  private transient Selection selection;

  /**
   * @param table serializable copy of the table as of the snapshot to read
   * @param decoder makes records of its rows
   * @param files its data files by number
   */
  public AllRowsFunction(Table table, ExistingRowDecoder decoder, List<String> files) {
    this.table = table;
    this.decoder = decoder;
    this.files = List.copyOf(files);
  }

  @Override
  public void open(OpenContext context) {
    reader = new RecordReader(table, decoder, files, getRuntimeContext());
    selection = decoder.all();
  }

  @Override
  public void processElement(RowSplit split, Context context, Collector<PackedRecord> out) {
    reader.read(split, selection, out);
  }
}
