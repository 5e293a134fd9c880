package io.sluice.table;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.StringData;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.io.CloseableIterable;

/** The rows of a companion that are no events of keys: files that were read; and counts of rows. */
final class CompanionRows {

  private CompanionRows() {}

  /** How many deletes a snapshot holds, by the counts of its files. */
  static long deletes(Table table, long snapshotId) {
    long live = 0;
    try (CloseableIterable<FileScanTask> tasks =
        table
            .newScan()
            .useSnapshot(snapshotId)
            .planWith(ManifestThreads.of(table, table.snapshot(snapshotId)))
            .filter(Expressions.equal(Companion.KIND, Companion.DELETE))
            .planFiles()) {
      for (FileScanTask task : tasks) {
        live += task.file().recordCount();
        for (DeleteFile deletes : task.deletes()) {
          live -= deletes.recordCount();
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return live;
  }

  /** The JSON descriptions of the files that a flow has read, as a snapshot has them. */
  static List<String> files(Table table, long snapshotId, String flow) {
    Schema columns = table.schema().select(Companion.KIND, Companion.FLOW, Companion.SOURCE);
    int source = index(columns, Companion.SOURCE);
    LocatedRowReader reader = new LocatedRowReader(table, columns);
    Selection files =
        new Selection(
            Expressions.and(
                Expressions.equal(Companion.KIND, Companion.FILE),
                Expressions.equal(Companion.FLOW, flow)),
            List.of(Companion.KIND, Companion.FLOW),
            row ->
                Companion.FILE.equals(String.valueOf(row.getString(0)))
                    && flow.equals(String.valueOf(row.getString(1))),
            Selection.Passes.ONE);
    List<String> rows = new ArrayList<>();
    for (RowSplit split :
        LocatedRows.plan(table, snapshotId, List.of(Companion.KIND, Companion.FLOW))) {
      reader.read(
          split, files, (row, file, position) -> rows.add(row.getString(source).toString()));
    }
    return rows;
  }

  /** A row that says a flow has read a file. */
  static GenericRowData file(Schema schema, String flow, String json, long update) {
    GenericRowData row = new GenericRowData(schema.columns().size());
    row.setField(index(schema, Companion.KIND), StringData.fromString(Companion.FILE));
    row.setField(index(schema, Companion.FLOW), StringData.fromString(flow));
    row.setField(index(schema, Companion.SOURCE), StringData.fromString(json));
    row.setField(index(schema, Companion.UPDATE), update);
    return row;
  }

  private static int index(Schema schema, String column) {
    return schema.columns().indexOf(schema.findField(column));
  }
}
