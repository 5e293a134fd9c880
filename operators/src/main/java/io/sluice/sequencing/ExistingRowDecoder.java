package io.sluice.sequencing;

import io.sluice.history.InvalidSequenceException;
import io.sluice.history.Kind;
import io.sluice.history.SequenceEncoder;
import io.sluice.history.StorageType;
import io.sluice.sequencing.KeyedRecord.ExistingRow;
import io.sluice.table.Companion;
import io.sluice.table.RowSplit;
import io.sluice.table.Selection;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.binary.BinaryRowData;
import org.apache.flink.table.data.utils.JoinedRowData;
import org.apache.flink.table.data.utils.ProjectedRowData;
import org.apache.flink.table.runtime.typeutils.RowDataSerializer;
import org.apache.iceberg.Table;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.expressions.Expressions;

/** Makes keyed records of the rows of a target, or of its companion. */
public abstract sealed class ExistingRowDecoder implements Serializable
    permits ExistingRowDecoder.OfTarget, RememberedDecoder, SeededDecoder {

  private static final long serialVersionUID = 1L;

  private final TargetLayout layout;
  private transient RowDataSerializer serializer;
  private transient ProjectedRowData prefix;
  private transient SequenceEncoder encoder;
  private transient LeafNames names;
  private transient WrittenLeaves leaves;
  private transient byte[] written;

  ExistingRowDecoder(TargetLayout layout) {
    this.layout = layout;
  }

  /** For the rows of the target, as far as the events of a key set can touch them. */
  public static ExistingRowDecoder ofTarget(TargetLayout layout) {
    return new OfTarget(layout, false);
  }

  /** For all rows of the target that have a key of the set. */
  public static ExistingRowDecoder ofWholeKeys(TargetLayout layout) {
    return new OfTarget(layout, true);
  }

  /** For the remembered events of the companion, of which some may be forgotten. */
  public static ExistingRowDecoder ofCompanion(TargetLayout layout, Collection collection) {
    return new RememberedDecoder(layout, collection);
  }

  /** For the rows of the target as of a seed's commit, or before it. */
  public static ExistingRowDecoder ofSeededTarget(TargetLayout layout, int seed, boolean before) {
    return new SeededDecoder.OfTarget(layout, seed, before);
  }

  /** For the remembered events of the companion as of a seed's commit, or before it. */
  public static ExistingRowDecoder ofSeededCompanion(
      TargetLayout layout, int seed, boolean before) {
    return new SeededDecoder.OfCompanion(layout, seed, before);
  }

  final TargetLayout layout() {
    return layout;
  }

  /**
   * Is called before the first row.
   *
   * @param table the table of the rows
   */
  final void open(Table table) {
    serializer = new RowDataSerializer(layout.valueColumns());
    names = layout.partial() ? new LeafNames(layout.columns()) : null;
    leaves = layout.partial() ? new WrittenLeaves(layout.columns(), table) : null;
    prefix = ProjectedRowData.from(IntStream.range(0, layout.columns().getFieldCount()).toArray());
    encoder = new SequenceEncoder();
  }

  /** Is called before the first row of a split. */
  final void begin(RowSplit split) {
    written = leaves == null ? null : leaves.mask(split.dataSequenceNumber());
  }

  /** The columns to read, user columns first. */
  public abstract List<String> columnNames();

  /** The column with the sequence that a truncate is compared with (SCD type 1). */
  abstract String sequenceColumn();

  /** True for every row that the events of a key set can touch. */
  abstract Expression filter(KeySetFilter keys);

  /** The rows that are current, of all keys. */
  abstract Selection current();

  /** All rows, of all keys. */
  Selection all() {
    return Selection.all();
  }

  /**
   * Whether nothing but the sequence is asked of a row below every new event: any of them takes its
   * place, whatever it holds (semantics 5.1).
   */
  boolean isReplacedWhole() {
    return false;
  }

  /** The record of a row, valid until the next call, or null for a row that is none. */
  abstract KeyedRecord decode(RowKey key, RowData row, int file, long position);

  /** Whether the row can be written again exactly as it is: nothing about its place is unclear. */
  boolean isExact(ExistingRow decoded, RowData row) {
    return false;
  }

  /** The entries of a companion that are events. */
  static Expression events() {
    return Expressions.in(Companion.KIND, Kind.UPSERT.name(), Kind.DELETE.name());
  }

  /** Tells the counters of target and companion apart. */
  abstract String counterPrefix();

  /**
   * The values of a row or an event.
   *
   * @param authored names of the leaves that it authors; null for all that its file has
   */
  final BinaryRowData valuesOf(RowData row, StringData authored) {
    RowData columns = prefix.replaceRow(row);
    return serializer.toBinaryRow(
        layout.partial()
            ? new JoinedRowData(
                columns, GenericRowData.of(authored == null ? written : names.mask(authored)))
            : columns);
  }

  final byte[] sequenceAt(RowData row, int position) {
    return sequenceAt(row, position, layout.sequence());
  }

  final byte[] systemSequenceAt(RowData row, int position) {
    return sequenceAt(row, position, layout.systemSequence());
  }

  private byte[] sequenceAt(RowData row, int position, OrderedColumn column) {
    if (row.isNullAt(position)) {
      return null;
    }
    try {
      column.append(row, position, encoder.reset());
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

  static final class OfTarget extends ExistingRowDecoder {

    private static final long serialVersionUID = 1L;

    private final boolean wholeKeys;

    OfTarget(TargetLayout layout, boolean wholeKeys) {
      super(layout);
      this.wholeKeys = wholeKeys;
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
    boolean isReplacedWhole() {
      return layout().type() == StorageType.SCD1 && !layout().partial() && !wholeKeys;
    }

    @Override
    Expression filter(KeySetFilter keys) {
      Expression filter = keys.ofKeys();
      if (layout().type() == StorageType.SCD1) {
        return Expressions.or(filter, keys.belowTruncate(TargetLayout.SEQUENCE));
      }
      for (String column : wholeKeys ? List.<String>of() : layout().closingColumns()) {
        filter = Expressions.and(filter, keys.notEndedBefore(column));
      }
      return filter;
    }

    @Override
    Selection current() {
      if (layout().type() != StorageType.SCD2) {
        return Selection.all();
      }
      return new Selection(
          layout().sequence().isScalar()
              ? Expressions.isNull(TargetLayout.END_AT)
              : Expressions.alwaysTrue(),
          List.of(TargetLayout.END_AT),
          row -> row.isNullAt(0),
          Selection.Passes.ONE);
    }

    @Override
    KeyedRecord decode(RowKey key, RowData row, int file, long position) {
      int columns = layout().columns().getFieldCount();
      byte[] start = sequenceAt(row, columns);
      byte[] end = layout().type() == StorageType.SCD1 ? null : sequenceAt(row, columns + 1);
      boolean bitemporal = layout().type() == StorageType.BITEMPORAL;
      return new ExistingRow(
          key,
          start,
          end,
          bitemporal ? systemSequenceAt(row, columns + 2) : null,
          bitemporal ? systemSequenceAt(row, columns + 3) : null,
          valuesOf(row, null),
          file,
          position);
    }

    @Override
    boolean isExact(ExistingRow decoded, RowData row) {
      int columns = layout().columns().getFieldCount();
      return switch (layout().type()) {
        case SCD1 -> decoded.start() != null || row.isNullAt(columns);
        case SCD2 ->
            decoded.start() != null && (decoded.end() != null || row.isNullAt(columns + 1));
        case BITEMPORAL ->
            decoded.start() != null
                && (decoded.end() != null || row.isNullAt(columns + 1))
                && decoded.systemStart() != null
                && (decoded.systemEnd() != null || row.isNullAt(columns + 3));
      };
    }

    @Override
    String counterPrefix() {
      return "";
    }
  }
}
