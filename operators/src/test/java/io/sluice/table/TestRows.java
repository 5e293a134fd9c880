package io.sluice.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.SluiceException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.MetadataColumns;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.data.IcebergGenerics;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.util.ContentFileUtil;
import org.assertj.core.api.AbstractThrowableAssert;

/** Writes rows through the kernel and reads them back through Iceberg's own generic reader. */
final class TestRows {

  private TestRows() {}

  static RowData row(Object... values) {
    Object[] internal =
        Arrays.stream(values)
            .map(value -> value instanceof String text ? StringData.fromString(text) : value)
            .toArray();
    return GenericRowData.of(internal);
  }

  static List<WriteOutcome> write(Table table, Consumer<RowChangeWriter> changes) {
    try (RowChangeWriter writer = new RowChangeWriter(table, 0, 0, UUID.randomUUID().toString())) {
      changes.accept(writer);
      return writer.complete();
    }
  }

  /** Rows (i, "n" + i) for a range of ids, as one file. */
  static List<WriteOutcome> writeIds(Table table, int from, int toExclusive) {
    return write(
        table,
        writer ->
            IntStream.range(from, toExclusive)
                .forEach(i -> writer.insert(row((long) i, "n" + i), 0)));
  }

  static CommitRequest request(Table table, List<WriteOutcome> outcomes, String id) {
    return new CommitRequest(
        outcomes, Ledger.start("p"), planned(table), false, true, new CommitId(id));
  }

  static CommitRequest appendRequest(Table table, List<WriteOutcome> outcomes, String id) {
    return new CommitRequest(
        outcomes, Ledger.start("p"), planned(table), false, false, new CommitId(id));
  }

  static OptionalLong planned(Table table) {
    Snapshot current = table.currentSnapshot();
    return current == null ? OptionalLong.empty() : OptionalLong.of(current.snapshotId());
  }

  /** A committer that does not wait between attempts. */
  static TableCommitter committer() {
    return new TableCommitter(attempt -> {});
  }

  static CommitResult commit(Table table, List<WriteOutcome> outcomes, String id) {
    return committer().commit(table, request(table, outcomes, id));
  }

  /** All live rows as {@code a|b|..}, sorted. */
  static List<String> rows(Table table, String... columns) {
    table.refresh();
    try (CloseableIterable<Record> records = IcebergGenerics.read(table).select(columns).build()) {
      return StreamSupport.stream(records.spliterator(), false)
          .map(
              record ->
                  Arrays.stream(columns)
                      .map(column -> String.valueOf(record.getField(column)))
                      .collect(Collectors.joining("|")))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The location of every live row by the value of a column. */
  static TreeMap<Object, RowLocation> locations(Table table, String column) {
    table.refresh();
    Schema projection =
        new Schema(
            table.schema().findField(column),
            MetadataColumns.FILE_PATH,
            MetadataColumns.ROW_POSITION);
    TreeMap<Object, RowLocation> locations = new TreeMap<>();
    try (CloseableIterable<Record> records =
        IcebergGenerics.read(table).project(projection).build()) {
      for (Record record : records) {
        locations.put(record.get(0), new RowLocation((String) record.get(1), (Long) record.get(2)));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return locations;
  }

  static List<FileScanTask> tasks(Table table) {
    table.refresh();
    try (CloseableIterable<FileScanTask> tasks = table.newScan().planFiles()) {
      List<FileScanTask> list = new ArrayList<>();
      tasks.forEach(list::add);
      return list;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static List<DeleteFile> deleteFiles(Table table) {
    return tasks(table).stream().flatMap(task -> task.deletes().stream()).toList();
  }

  static long snapshots(Table table) {
    table.refresh();
    return StreamSupport.stream(table.snapshots().spliterator(), false).count();
  }

  static CommitRequest deleteRequest(Table table, String id, RowLocation... places) {
    table.refresh();
    return request(table, write(table, writer -> List.of(places).forEach(writer::delete)), id);
  }

  /** Every data file has at most one delete file, which is about it alone. */
  static void assertOneOwnDeleteFilePerFile(Table table, TestSetup setup) {
    for (FileScanTask task : tasks(table)) {
      List<DeleteFile> own = task.deletes().stream().filter(ContentFileUtil::isFileScoped).toList();
      assertThat(task.deletes()).hasSize(own.size());
      assertThat(own).hasSizeLessThanOrEqualTo(1);
      assertThat(own)
          .allMatch(
              file ->
                  file.format() == (setup.version == 3 ? FileFormat.PUFFIN : FileFormat.PARQUET));
      assertThat(own)
          .allMatch(
              file ->
                  task.file().location().equals(ContentFileUtil.referencedDataFileLocation(file)));
    }
  }

  /** Delete files on disk: those of the table, and none of a failed attempt. */
  static long deleteFilesOnDisk(Path folder) {
    try (var files = Files.walk(folder)) {
      return files
          .map(path -> path.getFileName().toString())
          .filter(name -> name.contains("deletes") && !name.endsWith(".crc"))
          .count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static AbstractThrowableAssert<?, ? extends Throwable> assertConflict(
      Table table, CommitRequest request) {
    return assertThatThrownBy(() -> committer().commit(table, request))
        .isInstanceOfSatisfying(
            SluiceException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.COMMIT_CONFLICT));
  }
}
