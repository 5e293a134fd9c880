package io.sluice.sequencing;

import io.sluice.history.History;
import io.sluice.history.SequenceDecoder;
import io.sluice.history.StorageType;
import io.sluice.history.Values;
import io.sluice.table.Companion;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
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
    boolean partial)
    implements Serializable {

  /** Start of a version, SCD type 2. */
  public static final String START_AT = "__START_AT";

  /** End of a version, SCD type 2; NULL while it is open. */
  public static final String END_AT = "__END_AT";

  /** Sequence of the winner, SCD type 1 (semantics 0.18). */
  public static final String SEQUENCE = "__SEQUENCE";

  public TargetLayout {
    keys = List.copyOf(keys);
    tracked = List.copyOf(tracked);
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
    return sequence == null || sequence.length == 0
        ? "NULL"
        : RowText.of(this.sequence.type(), this.sequence.take(new SequenceDecoder(sequence)));
  }
}
