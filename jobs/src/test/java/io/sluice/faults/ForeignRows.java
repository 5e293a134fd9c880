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
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.DeleteFiles;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Files;
import org.apache.iceberg.OverwriteFiles;
import org.apache.iceberg.RewriteFiles;
import org.apache.iceberg.RowDelta;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableUtil;
import org.apache.iceberg.data.BaseDeleteLoader;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.data.IcebergGenerics;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.data.parquet.GenericParquetReaders;
import org.apache.iceberg.data.parquet.GenericParquetWriter;
import org.apache.iceberg.deletes.BaseDVFileWriter;
import org.apache.iceberg.deletes.PositionDelete;
import org.apache.iceberg.deletes.PositionDeleteWriter;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.io.DataWriter;
import org.apache.iceberg.io.OutputFileFactory;
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

  /** Deletes rows where they lie, as a merge-on-read DELETE does. */
  public static void deletePositions(Table table, Predicate<Record> condition) {
    boolean vectors = TableUtil.formatVersion(table) >= 3;
    RowDelta delta = table.newRowDelta().validateFromSnapshot(table.currentSnapshot().snapshotId());
    try (CloseableIterable<FileScanTask> tasks = table.newScan().planFiles()) {
      for (FileScanTask task : tasks) {
        List<Long> positions = positions(table, task.file(), condition);
        if (!positions.isEmpty()) {
          (vectors ? vector(table, task, positions) : List.of(file(table, task, positions)))
              .forEach(delta::addDeletes);
          if (vectors) {
            task.deletes().forEach(delta::removeDeletes);
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    delta.commit();
  }

  /** Drops every data file in which a row fulfils a condition. */
  public static void deleteFile(Table table, Predicate<Record> condition) {
    DeleteFiles delete = table.newDelete();
    for (DataFile file : files(table)) {
      if (!positions(table, file, condition).isEmpty()) {
        delete.deleteFile(file);
      }
    }
    delete.commit();
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

  /** Where rows lie in a file, whether they are deleted or not. */
  private static List<Long> positions(Table table, DataFile file, Predicate<Record> condition) {
    List<Long> positions = new ArrayList<>();
    try (CloseableIterable<Record> records =
        Parquet.read(table.io().newInputFile(file))
            .project(table.schema())
            .createReaderFunc(schema -> GenericParquetReaders.buildReader(table.schema(), schema))
            .build()) {
      long position = 0;
      for (Record record : records) {
        if (condition.test(record)) {
          positions.add(position);
        }
        position++;
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return positions;
  }

  private static List<DeleteFile> vector(Table table, FileScanTask task, List<Long> positions)
      throws IOException {
    BaseDVFileWriter writer =
        new BaseDVFileWriter(
            OutputFileFactory.builderFor(table, 0, 0).format(FileFormat.PUFFIN).build(),
            path ->
                task.deletes().isEmpty()
                    ? null
                    : new BaseDeleteLoader(file -> table.io().newInputFile(file))
                        .loadPositionDeletes(task.deletes(), path));
    try (writer) {
      for (long position : positions) {
        writer.delete(
            task.file().location(),
            position,
            table.specs().get(task.file().specId()),
            task.file().partition());
      }
    }
    return writer.result().deleteFiles();
  }

  private static DeleteFile file(Table table, FileScanTask task, List<Long> positions)
      throws IOException {
    Path file = Path.of(table.location(), "data", "foreign-" + UUID.randomUUID() + ".parquet");
    PositionDeleteWriter<Record> writer =
        Parquet.writeDeletes(Files.localOutput(file.toFile()))
            .withSpec(table.spec())
            .withPartition(task.file().partition())
            .overwrite()
            .buildPositionWriter();
    try (writer) {
      for (long position : positions) {
        PositionDelete<Record> delete = PositionDelete.create();
        writer.write(delete.set(task.file().location(), position));
      }
    }
    return writer.toDeleteFile();
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
