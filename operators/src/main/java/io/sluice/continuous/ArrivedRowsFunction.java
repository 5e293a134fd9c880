package io.sluice.continuous;

import io.sluice.release.ClassRelease;
import io.sluice.table.LocatedRowReader;
import io.sluice.table.RowSplit;
import io.sluice.table.Selection;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.utils.JoinedRowData;
import org.apache.flink.util.Collector;
import org.apache.iceberg.Table;

/**
 * Reads rows that were appended to an Iceberg table, each followed by two columns: STRING name of
 * its file, which orders like the commits, BIGINT position in the file.
 */
public final class ArrivedRowsFunction extends ProcessFunction<TableArrival, RowData> {

  private static final long serialVersionUID = 1L;

  private final Table table;

  private transient LocatedRowReader reader;

  /**
   * @param table serializable copy of the source
   */
  public ArrivedRowsFunction(Table table) {
    this.table = table;
  }

  @Override
  public void open(OpenContext context) {
    ClassRelease.register(getRuntimeContext());
    reader = new LocatedRowReader(table, table.schema());
  }

  @Override
  public void processElement(TableArrival arrival, Context context, Collector<RowData> out) {
    JoinedRowData joined = new JoinedRowData();
    for (RowSplit split : arrival.splits()) {
      StringData name = StringData.fromString(split.orderedName());
      reader.read(
          split,
          Selection.all(),
          (row, file, position) ->
              out.collect(joined.replace(row, GenericRowData.of(name, position))));
    }
  }
}
