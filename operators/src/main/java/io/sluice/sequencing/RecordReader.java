package io.sluice.sequencing;

import io.sluice.history.InvalidSequenceException;
import io.sluice.history.SequenceEncoder;
import io.sluice.release.ClassRelease;
import io.sluice.sequencing.KeyedRecord.ExistingRow;
import io.sluice.sequencing.KeyedRecord.Tidied;
import io.sluice.table.LocatedRowReader;
import io.sluice.table.RowSplit;
import io.sluice.table.Selection;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.flink.api.common.accumulators.LongCounter;
import org.apache.flink.api.common.functions.RuntimeContext;
import org.apache.flink.table.data.RowData;
import org.apache.flink.util.Collector;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.types.Types.NestedField;

/** Reads rows of a target or of its companion as packed records with their location. */
final class RecordReader {

  /** Every row is read whole. */
  private static final Brief WHOLE = (tested, file, position) -> null;

  private final ExistingRowDecoder decoder;
  private final Map<String, Integer> numbers = new HashMap<>();
  private final LocatedRowReader reader;
  private final SequenceEncoder encoder = new SequenceEncoder();
  private final OrderedColumn[] keyColumns;
  private final RecordCodec codec;
  private final LongCounter rows = new LongCounter();
  private final LongCounter bytes = new LongCounter();

  /**
   * @param files data files of the table by number
   * @param context takes the counters of rows and bytes
   */
  RecordReader(
      Table table, ExistingRowDecoder decoder, List<String> files, RuntimeContext context) {
    ClassRelease.register(context);
    this.decoder = decoder;
    for (int i = 0; i < files.size(); i++) {
      numbers.put(files.get(i), i);
    }
    List<NestedField> projected = new ArrayList<>();
    decoder.columnNames().forEach(name -> projected.add(table.schema().findField(name)));
    reader = new LocatedRowReader(table, new Schema(projected));
    keyColumns = decoder.layout().keyColumns().toArray(OrderedColumn[]::new);
    codec = new RecordCodec(decoder.layout().valueColumns().getFieldCount());
    decoder.open(table);
    context.addAccumulator(decoder.counterPrefix() + UpdateCounters.ROWS_READ_BACK, rows);
    context.addAccumulator(decoder.counterPrefix() + UpdateCounters.BYTES_READ_BACK, bytes);
  }

  /** Emits the selected rows of a split that have a key. */
  void read(RowSplit split, Selection selection, Collector<PackedRecord> out) {
    read(split, selection, WHOLE, out);
  }

  /**
   * The same.
   *
   * @param brief makes records of rows whose tested columns say enough
   */
  void read(RowSplit split, Selection selection, Brief brief, Collector<PackedRecord> out) {
    read(split, selection, brief, (key, row, record) -> record, out);
  }

  /**
   * Emits all rows of a split whose file is emptied: as rows that move, where they can be written
   * again exactly, else those of the keys.
   */
  void readAll(RowSplit split, KeySet keys, Collector<PackedRecord> out) {
    read(
        split,
        Selection.all(),
        WHOLE,
        (key, row, record) -> {
          if (record instanceof ExistingRow existing && decoder.isExact(existing, row)) {
            return new Tidied(key, existing);
          }
          return keys.mayContain(key) ? record : null;
        },
        out);
  }

  private void read(
      RowSplit split, Selection selection, Brief brief, Form form, Collector<PackedRecord> out) {
    decoder.begin(split);
    long before = reader.statistics().bytes();
    reader.read(
        split,
        selection,
        (tested, file, position) -> {
          ExistingRow row = brief.of(tested, numbers.get(file), position);
          if (row != null) {
            emit(row, out);
          }
          return row != null;
        },
        (row, file, position) -> {
          Optional<RowKey> key = keyOf(row);
          KeyedRecord decoded =
              key.isEmpty() ? null : decoder.decode(key.get(), row, numbers.get(file), position);
          KeyedRecord record = decoded == null ? null : form.of(key.get(), row, decoded);
          if (record != null) {
            emit(record, out);
          }
        });
    bytes.add(reader.statistics().bytes() - before);
  }

  private void emit(KeyedRecord record, Collector<PackedRecord> out) {
    rows.add(1);
    out.collect(codec.pack(record));
  }

  /** What a row is whose tested columns say enough; null for a row that has to be read whole. */
  @FunctionalInterface
  interface Brief {
    ExistingRow of(RowData tested, int file, long position);
  }

  /** What a row is emitted as; null for not at all. */
  @FunctionalInterface
  private interface Form {
    KeyedRecord of(RowKey key, RowData row, KeyedRecord decoded);
  }

  private Optional<RowKey> keyOf(RowData row) {
    encoder.reset();
    try {
      for (int i = 0; i < keyColumns.length; i++) {
        keyColumns[i].append(row, decoder.layout().keys().get(i), encoder);
      }
    } catch (InvalidSequenceException e) {
      return Optional.empty();
    }
    return Optional.of(new RowKey(encoder.toBytes()));
  }
}
