package io.sluice.table;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.utils.ProjectedRowData;
import org.apache.iceberg.FileContent;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.MetadataColumns;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.data.DeleteFilter;
import org.apache.iceberg.deletes.PositionDeleteIndex;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.types.Types.NestedField;

/**
 * Reads the live rows of splits with their location. Deletes of every kind are honoured, those of
 * foreign writers included. One per thread.
 */
public final class LocatedRowReader {

  private final Table table;
  private final Schema projection;
  private final Schema located;
  private final int positionIndex;
  private final ReadStatistics statistics = new ReadStatistics();
  private final SplitFileReader files;
  private SplitPruning pruning;

  /**
   * A reader of some columns of a table.
   *
   * @param projection the columns of emitted rows in their order, by the table's field ids
   */
  public LocatedRowReader(Table table, Schema projection) {
    if (projection.findField(MetadataColumns.ROW_POSITION.fieldId()) != null) {
      throw new IllegalArgumentException("every row comes with its position; do not project it");
    }
    this.table = table;
    this.projection = projection;
    this.located = withPosition(projection);
    this.positionIndex = projection.columns().size();
    this.files = new SplitFileReader(table, statistics.byteCounter());
  }

  /** What was read so far. */
  public ReadStatistics statistics() {
    return statistics;
  }

  /**
   * Hands over the selected live rows of a split in the order of their positions. Row objects are
   * reused.
   *
   * @throws UncheckedIOException if a file cannot be read
   */
  public void read(RowSplit split, Selection selection, RowSink sink) {
    read(split, selection, BriefRows.NONE, sink);
  }

  /**
   * The same where the key columns of some rows are enough: in two passes, row groups in which all
   * rows are like that are not read again. Rows of a split with equality deletes are handed over
   * whole.
   *
   * @param brief is asked first; what it takes may come before rows of lower positions
   */
  public void read(RowSplit split, Selection selection, BriefRows brief, RowSink sink) {
    if (pruning == null || pruning.filter() != selection.filter()) {
      pruning = new SplitPruning(table, selection.filter());
    }
    if (!pruning.mayMatch(split)) {
      statistics.splitSkipped();
      return;
    }
    statistics.splitRead();
    if (split.deletes().stream().anyMatch(d -> d.content() == FileContent.EQUALITY_DELETES)) {
      readWithAllDeletes(split, selection, sink);
      return;
    }
    PositionDeleteIndex deleted = files.deletedPositions(split);
    switch (selection.passes()) {
      case ONE -> {
        KeyView keys = new KeyView(projection, selection.keyColumns());
        Output output = new Output(split, sink);
        scan(
            split,
            new Part(split.start(), split.length()),
            located,
            (row, position) -> {
              if (!deleted.isDeleted(position)
                  && selection.keyTest().test(keys.of(row))
                  && !isTaken(brief, keys.of(row), split, position)) {
                output.emit(row, position);
              }
            });
      }
      case TWO -> {
        for (Part part : rowGroups(split)) {
          DeletedPositions wanted = wantedPositions(split, part, selection, deleted, brief);
          if (!wanted.isEmpty()) {
            emitPositions(split, part, wanted, sink);
          }
        }
      }
    }
  }

  private boolean isTaken(BriefRows brief, RowData tested, RowSplit split, long position) {
    boolean taken = brief.take(tested, split.file().location(), position);
    if (taken) {
      statistics.rowEmitted();
    }
    return taken;
  }

  private DeletedPositions wantedPositions(
      RowSplit split,
      Part part,
      Selection selection,
      PositionDeleteIndex deleted,
      BriefRows brief) {
    Schema keyColumns = columns(projection, selection.keyColumns());
    KeyView keys = new KeyView(keyColumns, selection.keyColumns());
    DeletedPositions wanted = new DeletedPositions();
    scan(
        split,
        part,
        withPosition(keyColumns),
        (row, position) -> {
          if (!deleted.isDeleted(position)
              && selection.keyTest().test(keys.of(row))
              && !isTaken(brief, keys.of(row), split, position)) {
            wanted.add(position);
          }
        });
    return wanted;
  }

  private void emitPositions(RowSplit split, Part part, DeletedPositions wanted, RowSink sink) {
    Output output = new Output(split, sink);
    scan(
        split,
        part,
        located,
        (row, position) -> {
          if (wanted.contains(position)) {
            output.emit(row, position);
          }
        });
  }

  private void readWithAllDeletes(RowSplit split, Selection selection, RowSink sink) {
    DeleteFilter<RowData> deletes = files.deleteFilter(split, located);
    Schema columns = deletes.requiredSchema();
    KeyView keys = new KeyView(projection, selection.keyColumns());
    Output output = new Output(split, sink);
    Expression filter = pruning.rowGroupFilter(split, columns);
    try (CloseableIterable<RowData> rows =
        deletes.filter(files.open(split, split.start(), split.length(), columns, filter))) {
      for (RowData row : rows) {
        statistics.rowRead();
        if (selection.keyTest().test(keys.of(row))) {
          output.emit(row, row.getLong(positionIndex));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void scan(RowSplit split, Part part, Schema columns, PositionedRow consumer) {
    int position = columns.columns().size() - 1;
    Expression filter = pruning.rowGroupFilter(split, columns);
    try (CloseableIterable<RowData> rows =
        files.open(split, part.start(), part.length(), columns, filter)) {
      for (RowData row : rows) {
        statistics.rowRead();
        consumer.accept(row, row.getLong(position));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The row groups of a Parquet split; other formats are read as a whole. */
  private static List<Part> rowGroups(RowSplit split) {
    List<Long> offsets = split.file().splitOffsets();
    if (split.file().format() != FileFormat.PARQUET || offsets == null) {
      return List.of(new Part(split.start(), split.length()));
    }
    long end = split.start() + split.length();
    List<Long> starts = offsets.stream().filter(o -> o >= split.start() && o < end).toList();
    if (starts.size() < 2) {
      return List.of(new Part(split.start(), split.length()));
    }
    List<Part> parts = new ArrayList<>();
    for (int i = 0; i < starts.size(); i++) {
      long next = i + 1 < starts.size() ? starts.get(i + 1) : end;
      parts.add(new Part(starts.get(i), next - starts.get(i)));
    }
    return parts;
  }

  private static Schema withPosition(Schema columns) {
    List<NestedField> fields = new ArrayList<>(columns.columns());
    fields.add(MetadataColumns.ROW_POSITION);
    return new Schema(fields);
  }

  private static Schema columns(Schema schema, List<String> names) {
    return new Schema(names.stream().map(name -> column(schema, name)).toList());
  }

  private static NestedField column(Schema schema, String name) {
    return schema.columns().stream()
        .filter(field -> field.name().equals(name))
        .findFirst()
        .orElseThrow(
            () -> new IllegalArgumentException("key column " + name + " is not projected"));
  }

  private record Part(long start, long length) {}

  @FunctionalInterface
  private interface PositionedRow {
    void accept(RowData row, long position);
  }

  /** The key columns of a row that has more of them. */
  private static final class KeyView {
    private final ProjectedRowData view;

    KeyView(Schema rowColumns, List<String> keyColumns) {
      this.view =
          ProjectedRowData.from(
              keyColumns.stream()
                  .mapToInt(name -> rowColumns.columns().indexOf(column(rowColumns, name)))
                  .toArray());
    }

    RowData of(RowData row) {
      return view.replaceRow(row);
    }
  }

  /** Emits rows without the columns that were read for our own use. */
  private final class Output {
    private final String file;
    private final RowSink sink;
    private final ProjectedRowData view =
        ProjectedRowData.from(IntStream.range(0, positionIndex).toArray());

    Output(RowSplit split, RowSink sink) {
      this.file = split.file().location();
      this.sink = sink;
    }

    void emit(RowData row, long position) {
      statistics.rowEmitted();
      sink.accept(view.replaceRow(row), file, position);
    }
  }
}
