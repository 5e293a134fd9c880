package io.sluice.sequencing;

import io.sluice.history.Event;
import io.sluice.history.InvalidSequenceException;
import io.sluice.history.Kind;
import io.sluice.history.Origin;
import io.sluice.history.Sequence;
import io.sluice.history.SequenceEncoder;
import io.sluice.history.Version;
import io.sluice.sequencing.KeyedRecord.ExistingRow;
import io.sluice.sequencing.KeyedRecord.Remembered;
import io.sluice.table.Companion;
import io.sluice.table.LocatedRowReader;
import io.sluice.table.RowLocation;
import io.sluice.table.RowSplit;
import io.sluice.table.Selection;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.binary.BinaryRowData;
import org.apache.flink.table.runtime.typeutils.RowDataSerializer;
import org.apache.flink.table.types.logical.RowType;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.flink.FlinkSchemaUtil;
import org.apache.iceberg.types.Types.NestedField;

/**
 * Reads what a table and its companion hold of one key, in this process. Files without the key are
 * skipped by their statistics, row groups by the key columns.
 */
public final class KeyLookup {

  private final TargetLayout layout;
  private final RowKey key;
  private final OrderedColumn[] keyColumns;
  private final KeySet keys = new KeySet();
  private final SequenceEncoder encoder = new SequenceEncoder();
  private long splitsRead;
  private long splitsSkipped;
  private long bytes;

  /**
   * A lookup of one key.
   *
   * @param values the key columns in the order of KEYS, in Flink's internal form
   * @throws InvalidSequenceException if a value is NULL
   */
  public KeyLookup(TargetLayout layout, List<Object> values) throws InvalidSequenceException {
    this.layout = layout;
    this.keyColumns = layout.keyColumns().toArray(OrderedColumn[]::new);
    this.key = keyOf(GenericRowData.of(values.toArray()));
    keys.add(key, new byte[0]);
  }

  /**
   * A row of the table.
   *
   * @param version the row for the core
   * @param columns user columns, then generated columns, of the type {@link #rowType}
   * @param location where it lies
   * @param dataSequenceNumber order of the commit that wrote it
   */
  public record StoredRow(
      Version<BinaryRowData> version,
      RowData columns,
      RowLocation location,
      long dataSequenceNumber) {}

  /**
   * An event of the companion.
   *
   * @param event the event; an origin with a source, if it is known, is that of the winner of a tie
   * @param flow the flow it came from; empty where that is not kept
   * @param appliedAt when it was applied
   * @param update number of the update that applied it
   */
  public record StoredEvent(
      Event<BinaryRowData> event, Optional<String> flow, Instant appliedAt, long update) {}

  /** The type of {@link StoredRow#columns}. */
  public RowType rowType(Table table) {
    List<NestedField> fields = new ArrayList<>();
    ExistingRowDecoder.ofTarget(layout)
        .columnNames()
        .forEach(name -> fields.add(table.schema().findField(name)));
    return FlinkSchemaUtil.convert(new Schema(fields));
  }

  /** The rows of the key in the given splits of the table. */
  public List<StoredRow> rows(Table table, List<RowSplit> splits) {
    ExistingRowDecoder decoder = ExistingRowDecoder.ofTarget(layout);
    RowDataSerializer serializer = new RowDataSerializer(rowType(table));
    List<StoredRow> rows = new ArrayList<>();
    read(
        table,
        splits,
        decoder,
        List.of(),
        (split, row, file, position) -> {
          ExistingRow found = (ExistingRow) decoder.decode(key, row, 0, position);
          Version<BinaryRowData> version = found.version(layout.type());
          rows.add(
              new StoredRow(
                  new Version<>(
                      version.start(),
                      version.end(),
                      version.systemStart(),
                      version.systemEnd(),
                      version.values().copy()),
                  serializer.toBinaryRow(row).copy(),
                  new RowLocation(file, position),
                  split.dataSequenceNumber()));
        });
    return rows;
  }

  /** The events that the companion remembers of the key, in the given splits of it. */
  public List<StoredEvent> events(Table companion, List<RowSplit> splits) {
    ExistingRowDecoder decoder = ExistingRowDecoder.ofCompanion(layout, Collection.NONE);
    int appliedAt = decoder.columnNames().indexOf(Companion.APPLIED_AT);
    int update = decoder.columnNames().size();
    List<StoredEvent> events = new ArrayList<>();
    read(
        companion,
        splits,
        decoder,
        List.of(Companion.UPDATE),
        (split, row, file, position) -> {
          if (decoder.decode(key, row, 0, position) instanceof Remembered found) {
            events.add(
                new StoredEvent(
                    eventOf(found),
                    Optional.ofNullable(found.flow()),
                    row.getTimestamp(appliedAt, 6).toInstant(),
                    row.getLong(update)));
          }
        });
    return events;
  }

  /** The flow's place in the file is not known here; any order tells known from unknown. */
  private static Event<BinaryRowData> eventOf(Remembered event) {
    return new Event<>(
        Sequence.of(event.sequence()),
        event.systemSequence() == null ? Sequence.LOWEST : Sequence.of(event.systemSequence()),
        event.values() == null ? Kind.DELETE : Kind.UPSERT,
        event.values() == null ? null : event.values().copy(),
        event.source() == null
            ? Origin.UNKNOWN
            : event.wasShown() ? Origin.ROWS : new Origin(-1, event.source(), event.offset()));
  }

  /** Parts of data files of which something was read. */
  public long splitsRead() {
    return splitsRead;
  }

  /** Parts of data files that partition values or statistics ruled out. */
  public long splitsSkipped() {
    return splitsSkipped;
  }

  /** Bytes read of data files and delete files. */
  public long bytes() {
    return bytes;
  }

  @FunctionalInterface
  private interface FoundRow {
    void accept(RowSplit split, RowData row, String file, long position);
  }

  private void read(
      Table table,
      List<RowSplit> splits,
      ExistingRowDecoder decoder,
      List<String> more,
      FoundRow consumer) {
    List<NestedField> projected = new ArrayList<>();
    decoder.columnNames().forEach(name -> projected.add(table.schema().findField(name)));
    more.forEach(name -> projected.add(table.schema().findField(name)));
    decoder.open(table);
    LocatedRowReader reader = new LocatedRowReader(table, new Schema(projected));
    Selection selection =
        new Selection(
            decoder.filter(new KeySetFilter(keys, layout)),
            layout.keyColumns().stream().map(OrderedColumn::name).toList(),
            this::isWanted,
            Selection.Passes.TWO);
    for (RowSplit split : splits) {
      decoder.begin(split);
      reader.read(
          split, selection, (row, file, position) -> consumer.accept(split, row, file, position));
    }
    splitsRead += reader.statistics().splitsRead();
    splitsSkipped += reader.statistics().splitsSkipped();
    bytes += reader.statistics().bytes();
  }

  private boolean isWanted(RowData keyRow) {
    try {
      return Arrays.equals(keyOf(keyRow).bytes(), key.bytes());
    } catch (InvalidSequenceException e) {
      return false;
    }
  }

  private RowKey keyOf(RowData keyRow) throws InvalidSequenceException {
    encoder.reset();
    for (int i = 0; i < keyColumns.length; i++) {
      keyColumns[i].append(keyRow, i, encoder);
    }
    return new RowKey(encoder.toBytes());
  }
}
