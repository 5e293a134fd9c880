package io.sluice.sequencing;

import io.sluice.history.InvalidSequenceException;
import io.sluice.history.Sequence;
import io.sluice.history.SequenceEncoder;
import io.sluice.history.StorageType;
import io.sluice.release.ClassRelease;
import io.sluice.sequencing.KeyedRecord.Retention;
import io.sluice.table.Companion;
import io.sluice.table.LocatedRowReader;
import io.sluice.table.RowSplit;
import io.sluice.table.Selection;
import io.sluice.table.SplitPruning;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.TimestampData;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.types.Types.NestedField;

/**
 * Finds the keys with remembered events whose retention has ended since the last update (semantics
 * 0.5, 0.16), so that their rows enter although they have no new events. Files of the companion
 * without such events are skipped by their statistics.
 */
public final class ExpiredKeysFunction extends ProcessFunction<RowSplit, KeySet> {

  private static final long serialVersionUID = 1L;

  /** The greatest sequence among the expired events of a split. */
  public static final OutputTag<byte[]> SEQUENCES =
      new OutputTag<>("expired", PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO);

  /** Only a whole bitemporal history can tell what has changed no belief. */
  private static final byte[] EVERYTHING = Sequence.LOWEST.bytes();

  private final Table companion;
  private final TargetLayout layout;
  private final Collection collection;

  private transient OrderedColumn[] keyColumns;
  private transient LocatedRowReader reader;
  private transient SequenceEncoder encoder;

  /**
   * @param companion serializable copy of the companion
   */
  public ExpiredKeysFunction(Table companion, TargetLayout layout, Collection collection) {
    this.companion = companion;
    this.layout = layout;
    this.collection = collection;
  }

  /** The splits of a companion that may hold such events, by their statistics. */
  public static List<RowSplit> splitsToRead(
      List<RowSplit> splits, Table companion, Collection collection) {
    if (!collection.isDue()) {
      return List.of();
    }
    SplitPruning pruning = new SplitPruning(companion, filter(collection));
    return splits.stream().filter(pruning::mayMatch).toList();
  }

  private static Expression filter(Collection collection) {
    return Expressions.lessThanOrEqual(Companion.APPLIED_AT, collection.untilMicros());
  }

  @Override
  public void open(OpenContext context) {
    ClassRelease.register(getRuntimeContext());
    keyColumns = layout.keyColumns().toArray(OrderedColumn[]::new);
    List<NestedField> read = new ArrayList<>();
    for (OrderedColumn key : keyColumns) {
      read.add(companion.schema().findField(key.name()));
    }
    read.add(companion.schema().findField(Companion.SEQUENCE));
    read.add(companion.schema().findField(Companion.APPLIED_AT));
    reader = new LocatedRowReader(companion, new Schema(read));
    encoder = new SequenceEncoder();
  }

  @Override
  public void processElement(RowSplit split, Context context, Collector<KeySet> out) {
    KeySet keys = new KeySet();
    Selection expired =
        new Selection(
            filter(collection),
            List.of(Companion.APPLIED_AT),
            row ->
                !row.isNullAt(0)
                    && collection.retentionOf(micros(row.getTimestamp(0, 6))) == Retention.ENDS,
            Selection.Passes.ONE);
    byte[][] greatest = new byte[1][];
    reader.read(
        split,
        expired,
        (row, file, position) -> {
          byte[] sequence = add(keys, row);
          if (greatest[0] == null || Arrays.compareUnsigned(sequence, greatest[0]) > 0) {
            greatest[0] = sequence;
          }
        });
    if (!keys.isEmpty()) {
      out.collect(keys);
      context.output(SEQUENCES, greatest[0]);
    }
  }

  static long micros(TimestampData time) {
    return time.getMillisecond() * 1000 + time.getNanoOfMillisecond() / 1000;
  }

  private byte[] add(KeySet keys, RowData row) {
    try {
      layout.sequence().append(row, keyColumns.length, encoder.reset());
      byte[] sequence = encoder.toBytes();
      encoder.reset();
      for (int i = 0; i < keyColumns.length; i++) {
        keyColumns[i].append(row, i, encoder);
      }
      RowKey key = new RowKey(encoder.toBytes());
      if (layout.type() == StorageType.BITEMPORAL) {
        keys.add(key, EVERYTHING, EVERYTHING);
      } else {
        keys.add(key, sequence);
      }
      return sequence;
    } catch (InvalidSequenceException e) {
      throw new IllegalStateException("a remembered event without key or sequence", e);
    }
  }
}
