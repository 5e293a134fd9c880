package io.sluice.sequencing;

import io.sluice.history.History;
import io.sluice.history.SequenceDecoder;
import io.sluice.history.StorageType;
import io.sluice.history.Values;
import io.sluice.table.Companion;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.flink.table.data.binary.BinaryRowData;
import org.apache.flink.table.types.logical.BigIntType;
import org.apache.flink.table.types.logical.LocalZonedTimestampType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.VarBinaryType;
import org.apache.flink.table.types.logical.VarCharType;

/**
 * What the keyed operator has to know about a CDC target.
 *
 * @param table name of the table, for messages
 * @param type how the log of a key becomes rows
 * @param columns the user columns, in the table's order
 * @param keys positions of the key columns among them, in the order of KEYS
 * @param tracked positions of the columns that open a new version; empty list with {@code
 *     tracksAll} false: none
 * @param tracksAll whether every column opens a new version
 * @param sequence the sequence column
 * @param systemSequence the system sequence column of a bitemporal target; null for other types
 * @param partial whether events may leave columns to earlier ones (partial updates, semantics 8)
 */
public record TargetLayout(
    String table,
    StorageType type,
    RowType columns,
    List<Integer> keys,
    List<Integer> tracked,
    boolean tracksAll,
    OrderedColumn sequence,
    OrderedColumn systemSequence,
    boolean partial)
    implements Serializable {

  /** Start of a version, SCD type 2 and bitemporal. */
  public static final String START_AT = "__START_AT";

  /** End of a version, SCD type 2 and bitemporal; NULL while it is open. */
  public static final String END_AT = "__END_AT";

  /** Begin of the system time in which a row is believed, bitemporal. */
  public static final String SYSTEM_START_AT = "__SYSTEM_START_AT";

  /** End of that time; NULL while the row is believed. */
  public static final String SYSTEM_END_AT = "__SYSTEM_END_AT";

  /** Sequence of the winner, SCD type 1 (semantics 0.18). */
  public static final String SEQUENCE = "__SEQUENCE";

  public TargetLayout {
    keys = List.copyOf(keys);
    tracked = List.copyOf(tracked);
    if ((type == StorageType.BITEMPORAL) != (systemSequence != null)) {
      throw new IllegalArgumentException(
          "a system sequence belongs to bitemporal targets: " + type);
    }
  }

  /** The layout of a target without a system axis. */
  public TargetLayout(
      String table,
      StorageType type,
      RowType columns,
      List<Integer> keys,
      List<Integer> tracked,
      boolean tracksAll,
      OrderedColumn sequence,
      boolean partial) {
    this(table, type, columns, keys, tracked, tracksAll, sequence, null, partial);
  }

  /** The values of events and rows: the user columns, with partial updates what they author. */
  static RowType valueColumns(RowType columns, boolean partial) {
    if (!partial) {
      return columns;
    }
    List<RowType.RowField> fields = new ArrayList<>(columns.getFields());
    fields.add(
        new RowType.RowField(Companion.AUTHORED, new VarBinaryType(VarBinaryType.MAX_LENGTH)));
    return new RowType(false, fields);
  }

  RowType valueColumns() {
    return valueColumns(columns, partial);
  }

  /** Whether events touch only the end of a key's history. */
  boolean readsSuffix() {
    return History.readsSuffix(type, values());
  }

  /** The generated columns behind the user columns, in order. */
  public List<String> generatedColumns() {
    return switch (type) {
      case SCD1 -> List.of(SEQUENCE);
      case SCD2 -> List.of(START_AT, END_AT);
      case BITEMPORAL -> List.of(START_AT, END_AT, SYSTEM_START_AT, SYSTEM_END_AT);
    };
  }

  /** The sequence that a generated column holds values of. */
  public OrderedColumn sequenceOf(String generatedColumn) {
    return switch (generatedColumn) {
      case SYSTEM_START_AT, SYSTEM_END_AT -> systemSequence;
      default -> sequence;
    };
  }

  /** The generated columns that are never NULL; with the keys they identify a row. */
  public List<String> identifyingColumns() {
    return switch (type) {
      case SCD1 -> List.of();
      case SCD2 -> List.of(START_AT);
      case BITEMPORAL -> List.of(START_AT, SYSTEM_START_AT);
    };
  }

  /**
   * The generated columns with an end that closes a row: no event behind one of these ends changes
   * the row any more. The business end of a bitemporal row closes it where all columns are tracked;
   * see {@link io.sluice.history.History#recoverSuffix}.
   */
  public List<String> closingColumns() {
    return switch (type) {
      case SCD1 -> List.of();
      case SCD2 -> readsSuffix() ? List.of(END_AT) : List.of();
      case BITEMPORAL -> tracksAll ? List.of(END_AT, SYSTEM_END_AT) : List.of(SYSTEM_END_AT);
    };
  }

  /** The key columns, in the order of KEYS. */
  public List<OrderedColumn> keyColumns() {
    return keys.stream()
        .map(at -> OrderedColumn.ofKey(columns.getFieldNames().get(at), columns.getTypeAt(at)))
        .toList();
  }

  /** The columns of the rows that go to the companion. */
  public RowType companionColumns() {
    List<RowType.RowField> fields = new ArrayList<>(columns.getFields());
    fields.add(new RowType.RowField(Companion.KIND, VarCharType.STRING_TYPE));
    fields.add(new RowType.RowField(Companion.SEQUENCE, sequence.type()));
    if (systemSequence != null) {
      fields.add(new RowType.RowField(Companion.SYSTEM_SEQUENCE, systemSequence.type()));
    }
    fields.add(new RowType.RowField(Companion.FLOW, VarCharType.STRING_TYPE));
    fields.add(new RowType.RowField(Companion.SOURCE, VarCharType.STRING_TYPE));
    fields.add(new RowType.RowField(Companion.OFFSET, new BigIntType()));
    fields.add(new RowType.RowField(Companion.APPLIED_AT, new LocalZonedTimestampType(6)));
    fields.add(new RowType.RowField(Companion.UPDATE, new BigIntType()));
    if (partial) {
      fields.add(new RowType.RowField(Companion.AUTHORED, VarCharType.STRING_TYPE));
    }
    return new RowType(false, fields);
  }

  /** How the user columns of two events compare. */
  public Values<BinaryRowData> values() {
    RowDataValues plain =
        tracksAll
            ? RowDataValues.trackingAll()
            : RowDataValues.tracking(columns.getChildren(), tracked);
    return partial ? new PartialValues(plain, tracksAll, columns) : plain;
  }

  /** The positions of the user columns that an event leaves alone (semantics 8). */
  public List<Integer> leftAlone(BinaryRowData event) {
    int authored = columns.getFieldCount();
    if (!partial || event.isNullAt(authored)) {
      return List.of();
    }
    LeafTree[] trees = LeafTree.of(columns);
    LeafMask mask = new LeafMask(event.getBinary(authored), trees[trees.length - 1].end());
    return IntStream.range(0, trees.length)
        .filter(column -> trees[column].isLeftAlone(mask))
        .boxed()
        .toList();
  }

  /** {@code id=7, region='eu'} for messages. */
  String describe(RowKey key) {
    SequenceDecoder decoder = new SequenceDecoder(key.bytes());
    StringBuilder text = new StringBuilder();
    for (OrderedColumn column : keyColumns()) {
      text.append(text.isEmpty() ? "" : ", ")
          .append(column.name())
          .append('=')
          .append(RowText.of(column.type(), column.take(decoder)));
    }
    return text.toString();
  }

  /** A sequence as text for messages. */
  String describeSequence(byte[] sequence) {
    return describe(this.sequence, sequence);
  }

  /** A system sequence as text for messages. */
  String describeSystemSequence(byte[] sequence) {
    return describe(systemSequence, sequence);
  }

  private static String describe(OrderedColumn column, byte[] sequence) {
    return sequence == null || sequence.length == 0
        ? "NULL"
        : RowText.of(column.type(), column.take(new SequenceDecoder(sequence)));
  }
}
