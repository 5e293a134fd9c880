package io.sluice.sequencing;

import io.sluice.history.InvalidSequenceException;
import io.sluice.history.Kind;
import io.sluice.history.SequenceEncoder;
import io.sluice.history.StorageType;
import io.sluice.sequencing.KeyedRecord.ExistingRow;
import io.sluice.sequencing.KeyedRecord.Remembered;
import io.sluice.table.Companion;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.binary.BinaryRowData;
import org.apache.flink.table.data.utils.ProjectedRowData;
import org.apache.flink.table.runtime.typeutils.RowDataSerializer;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.expressions.Expressions;

/** Makes keyed records of the rows of a target, or of its companion. */
public abstract sealed class ExistingRowDecoder implements Serializable {

  private static final long serialVersionUID = 1L;

  private final TargetLayout layout;
  private transient RowDataSerializer serializer;
  private transient ProjectedRowData prefix;
  private transient SequenceEncoder encoder;

  private ExistingRowDecoder(TargetLayout layout) {
    this.layout = layout;
  }

  /** For the rows of the target. */
  public static ExistingRowDecoder ofTarget(TargetLayout layout) {
    return new OfTarget(layout);
  }

  /** For the remembered events of the companion. */
  public static ExistingRowDecoder ofCompanion(TargetLayout layout) {
    return new OfCompanion(layout);
  }

  final TargetLayout layout() {
    return layout;
  }

  final void open() {
    serializer = new RowDataSerializer(layout.columns());
    prefix = ProjectedRowData.from(IntStream.range(0, layout.columns().getFieldCount()).toArray());
    encoder = new SequenceEncoder();
  }

  /** The columns to read, user columns first. */
  public abstract List<String> columnNames();

  /** The column with the sequence that a truncate is compared with (SCD type 1). */
  abstract String sequenceColumn();

  /** True for every row that the events of a key set can touch. */
  abstract Expression filter(KeySetFilter keys);

  /** The record of a row, valid until the next call, or null for a row that is none. */
  abstract KeyedRecord decode(RowKey key, RowData row, int file, long position);

  /** Whether the row can be written again exactly as it is: nothing about its place is unclear. */
  boolean isExact(ExistingRow decoded, RowData row) {
    return false;
  }

  /** Tells the counters of target and companion apart. */
  abstract String counterPrefix();

  final BinaryRowData valuesOf(RowData row) {
    return serializer.toBinaryRow(prefix.replaceRow(row));
  }

  final byte[] sequenceAt(RowData row, int position) {
    if (row.isNullAt(position)) {
      return null;
    }
    try {
      layout.sequence().append(row, position, encoder.reset());
      return encoder.toBytes();
    } catch (InvalidSequenceException e) {
      return null;
    }
  }

  final List<String> withUserColumns(List<String> others) {
    List<String> names = new ArrayList<>(layout.columns().getFieldNames());
    names.addAll(others);
    return List.copyOf(names);
  }

  private static final class OfTarget extends ExistingRowDecoder {

    private static final long serialVersionUID = 1L;

    OfTarget(TargetLayout layout) {
      super(layout);
    }

    @Override
    public List<String> columnNames() {
      return withUserColumns(layout().generatedColumns());
    }

    @Override
    String sequenceColumn() {
      return TargetLayout.SEQUENCE;
    }

    @Override
    Expression filter(KeySetFilter keys) {
      return switch (layout().type()) {
        case SCD1 -> Expressions.or(keys.ofKeys(), keys.belowTruncate(TargetLayout.SEQUENCE));
        case SCD2 -> Expressions.and(keys.ofKeys(), keys.notEndedBefore(TargetLayout.END_AT));
      };
    }

    @Override
    KeyedRecord decode(RowKey key, RowData row, int file, long position) {
      int columns = layout().columns().getFieldCount();
      byte[] start = sequenceAt(row, columns);
      byte[] end = layout().type() == StorageType.SCD2 ? sequenceAt(row, columns + 1) : null;
      return new ExistingRow(key, start, end, valuesOf(row), file, position);
    }

    @Override
    boolean isExact(ExistingRow decoded, RowData row) {
      int columns = layout().columns().getFieldCount();
      return switch (layout().type()) {
        case SCD1 -> decoded.start() != null || row.isNullAt(columns);
        case SCD2 ->
            decoded.start() != null && (decoded.end() != null || row.isNullAt(columns + 1));
      };
    }

    @Override
    String counterPrefix() {
      return "";
    }
  }

  private static final class OfCompanion extends ExistingRowDecoder {

    private static final long serialVersionUID = 1L;

    OfCompanion(TargetLayout layout) {
      super(layout);
    }

    @Override
    public List<String> columnNames() {
      return withUserColumns(
          List.of(
              Companion.KIND,
              Companion.SEQUENCE,
              Companion.FLOW,
              Companion.SOURCE,
              Companion.OFFSET));
    }

    @Override
    String sequenceColumn() {
      return Companion.SEQUENCE;
    }

    @Override
    Expression filter(KeySetFilter keys) {
      return Expressions.and(
          Expressions.or(keys.ofKeys(), keys.belowTruncate(Companion.SEQUENCE)),
          Expressions.in(Companion.KIND, Kind.UPSERT.name(), Kind.DELETE.name()));
    }

    @Override
    KeyedRecord decode(RowKey key, RowData row, int file, long position) {
      int at = layout().columns().getFieldCount();
      String kind = row.getString(at).toString();
      boolean upsert = kind.equals(Kind.UPSERT.name());
      if (!upsert && !kind.equals(Kind.DELETE.name())) {
        return null;
      }
      return new Remembered(
          key,
          sequenceAt(row, at + 1),
          upsert ? valuesOf(row) : null,
          textAt(row, at + 2),
          textAt(row, at + 3),
          row.isNullAt(at + 4) ? -1 : row.getLong(at + 4),
          file,
          position);
    }

    private static String textAt(RowData row, int position) {
      return row.isNullAt(position) ? null : row.getString(position).toString();
    }

    @Override
    String counterPrefix() {
      return "companion-";
    }
  }
}
