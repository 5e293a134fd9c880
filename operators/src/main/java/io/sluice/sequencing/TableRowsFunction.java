package io.sluice.sequencing;

import io.sluice.release.ClassRelease;
import io.sluice.table.LocatedRowReader;
import io.sluice.table.RowSplit;
import io.sluice.table.Selection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.utils.JoinedRowData;
import org.apache.flink.util.Collector;
import org.apache.iceberg.Table;

/**
 * Reads the rows of an Iceberg table that is a source, each followed by two columns: INT number of
 * its file in this update, BIGINT position in the file.
 */
public final class TableRowsFunction extends ProcessFunction<RowSplit, RowData> {

  private static final long serialVersionUID = 1L;

  private final Table table;
  private final List<String> files;

  private transient LocatedRowReader reader;
  private transient Map<String, Integer> numbers;

  /**
   * @param table serializable copy of the source
   * @param files location of its data files by number
   */
  public TableRowsFunction(Table table, List<String> files) {
    this.table = table;
    this.files = List.copyOf(files);
  }

  @Override
  public void open(OpenContext context) {
    ClassRelease.register(getRuntimeContext());
    reader = new LocatedRowReader(table, table.schema());
    numbers = new HashMap<>();
    for (int i = 0; i < files.size(); i++) {
      numbers.put(files.get(i), i);
    }
  }

  @Override
  public void processElement(RowSplit split, Context context, Collector<RowData> out) {
    GenericRowData place = new GenericRowData(2);
    JoinedRowData joined = new JoinedRowData();
    reader.read(
        split,
        Selection.all(),
        (row, file, position) -> {
          place.setField(0, numbers.get(file));
          place.setField(1, position);
          out.collect(joined.replace(row, place));
        });
  }
}
