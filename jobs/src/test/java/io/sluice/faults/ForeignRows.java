package io.sluice.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Predicate;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Files;
import org.apache.iceberg.OverwriteFiles;
import org.apache.iceberg.RewriteFiles;
import org.apache.iceberg.Table;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.data.IcebergGenerics;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.data.parquet.GenericParquetWriter;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.io.DataWriter;
import org.apache.iceberg.parquet.Parquet;

/** Another program that works on the same tables, with Iceberg's generic writers. */
public final class ForeignRows {

  private ForeignRows() {}

  /** Appends a row; columns that are not given are NULL. */
  public static void append(Table table, Map<String, Object> values) {
    Record record = GenericRecord.create(table.schema());
    values.forEach(record::setField);
    table.newAppend().appendFile(write(table, List.of(record))).commit();
  }

  /** Rewrites the table without some rows, as a copy-on-write DELETE does. */
  public static void delete(Table table, Predicate<Record> condition) {
    List<Record> kept = records(table);
    kept.removeIf(condition);
    OverwriteFiles overwrite = table.newOverwrite();
    files(table).forEach(overwrite::deleteFile);
    if (!kept.isEmpty()) {
      overwrite.addFile(write(table, kept));
    }
    overwrite.commit();
  }

  /** Writes all rows of the table into one new file. */
  public static void compact(Table table) {
    RewriteFiles rewrite =
        table.newRewrite().validateFromSnapshot(table.currentSnapshot().snapshotId());
    List<Record> rows = records(table);
    files(table).forEach(rewrite::deleteFile);
    rewrite.addFile(write(table, rows)).commit();
  }

  private static List<DataFile> files(Table table) {
    try (CloseableIterable<FileScanTask> tasks = table.newScan().planFiles()) {
      List<DataFile> files = new ArrayList<>();
      tasks.forEach(task -> files.add(task.file()));
      return files;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<Record> records(Table table) {
    try (CloseableIterable<Record> records = IcebergGenerics.read(table).build()) {
      List<Record> copies = new ArrayList<>();
      records.forEach(record -> copies.add(record.copy()));
      return copies;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static DataFile write(Table table, List<Record> rows) {
    Path file = Path.of(table.location(), "data", "foreign-" + UUID.randomUUID() + ".parquet");
    try {
      DataWriter<Record> writer =
          Parquet.writeData(Files.localOutput(file.toFile()))
              .schema(table.schema())
              .createWriterFunc(GenericParquetWriter::create)
              .withSpec(table.spec())
              .overwrite()
              .build();
      try (writer) {
        rows.forEach(writer::write);
      }
      return writer.toDataFile();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
