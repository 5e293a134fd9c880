package io.sluice.table;

import static io.sluice.table.TestRows.tasks;
import static io.sluice.table.TestRows.write;
import static io.sluice.table.TestRows.writeIds;

import java.io.IOException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.apache.flink.table.data.RowData;
import org.apache.iceberg.AppendFiles;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.RewriteFiles;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.deletes.EqualityDeleteWriter;
import org.apache.iceberg.deletes.PositionDelete;
import org.apache.iceberg.deletes.PositionDeleteWriter;
import org.apache.iceberg.flink.sink.FlinkFileWriterFactory;
import org.apache.iceberg.io.OutputFileFactory;

/** What other programs do to a table. */
final class ForeignCommits {

  private ForeignCommits() {}

  static void foreignAppend(Table table, int id) {
    AppendFiles append = table.newAppend();
    writeIds(table, id, id + 1).forEach(outcome -> outcome.dataFiles().forEach(append::appendFile));
    append.commit();
  }

  static void foreignPositionDelete(Table table, RowLocation... locations) throws IOException {
    PositionDeleteWriter<RowData> writer =
        new FlinkFileWriterFactory.Builder(table)
            .dataSchema(table.schema())
            .build()
            .newPositionDeleteWriter(
                OutputFileFactory.builderFor(table, 9, 9)
                    .format(FileFormat.PARQUET)
                    .build()
                    .newOutputFile(),
                table.spec(),
                null);
    PositionDelete<RowData> delete = PositionDelete.create();
    try (writer) {
      Arrays.stream(locations)
          .sorted(Comparator.comparing(RowLocation::file))
          .forEach(location -> writer.write(delete.set(location.file(), location.position())));
    }
    table.newRowDelta().addDeletes(writer.toDeleteFile()).commit();
    table.refresh();
  }

  static void foreignEqualityDelete(Table table, RowData key) throws IOException {
    Schema keys = table.schema().select("id");
    EqualityDeleteWriter<RowData> writer =
        new FlinkFileWriterFactory.Builder(table)
            .dataSchema(table.schema())
            .equalityFieldIds(new int[] {table.schema().findField("id").fieldId()})
            .equalityDeleteRowSchema(keys)
            .build()
            .newEqualityDeleteWriter(
                OutputFileFactory.builderFor(table, 7, 7)
                    .format(FileFormat.PARQUET)
                    .build()
                    .newOutputFile(),
                PartitionSpec.unpartitioned(),
                null);
    try (writer) {
      writer.write(key);
    }
    table.newRowDelta().addDeletes(writer.toDeleteFile()).commit();
  }

  /** Rewrites one data file and its deletes as compaction does, by hand. */
  static void compact(Table table, String path) {
    FileScanTask task =
        tasks(table).stream()
            .filter(t -> t.file().location().equals(path))
            .findFirst()
            .orElseThrow();
    List<RowSplit> splits =
        LocatedRows.plan(table, table.currentSnapshot().snapshotId(), List.of()).stream()
            .filter(split -> split.file().location().equals(path))
            .toList();
    List<WriteOutcome> rewritten =
        write(
            table,
            writer -> {
              LocatedRowReader reader = new LocatedRowReader(table, table.schema());
              for (RowSplit split : splits) {
                reader.read(split, Selection.all(), (row, file, position) -> writer.insert(row, 0));
              }
            });
    RewriteFiles rewrite =
        table.newRewrite().validateFromSnapshot(table.currentSnapshot().snapshotId());
    rewrite.deleteFile(task.file());
    for (DeleteFile delete : task.deletes()) {
      rewrite.deleteFile(delete);
    }
    for (WriteOutcome outcome : rewritten) {
      for (DataFile file : outcome.dataFiles()) {
        rewrite.addFile(file);
      }
    }
    rewrite.commit();
  }
}
