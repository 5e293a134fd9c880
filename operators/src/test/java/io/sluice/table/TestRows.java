package io.sluice.table;

import java.io.IOException;
import java.io.UncheckedIOException;
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
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.MetadataColumns;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.data.IcebergGenerics;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.io.CloseableIterable;

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
}
