package io.sluice.plan;

import io.sluice.history.Sequence;
import io.sluice.history.StorageType;
import io.sluice.sequencing.ExistingRowDecoder;
import io.sluice.sequencing.ExistingRowsFunction;
import io.sluice.sequencing.ExpiredKeysFunction;
import io.sluice.sequencing.GreatestSequenceOperator;
import io.sluice.sequencing.JavaSerializer;
import io.sluice.sequencing.KeySet;
import io.sluice.sequencing.KeySetOperator;
import io.sluice.sequencing.PackedRecord;
import io.sluice.sequencing.RecordStreams;
import io.sluice.sequencing.TargetLayout;
import io.sluice.table.AddedColumns;
import io.sluice.table.RowSplit;
import io.sluice.table.Tidying;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.iceberg.SerializableTable;
import org.apache.iceberg.Table;

/**
 * Reads what a target and its companion already hold of the keys that an update touches: those of
 * its events, those with remembered events whose retention has ended, and all that a truncate
 * reaches.
 */
final class ExistingRows {

  private final FlinkSession session;
  private final ResolvedTarget target;
  private final OpenTarget open;
  private final TargetLayout layout;
  private final boolean wholeKeys;
  private DataStream<byte[]> expired;

  /**
   * @param wholeKeys whether rows are wanted that no event can touch, too
   */
  ExistingRows(
      FlinkSession session,
      ResolvedTarget target,
      OpenTarget open,
      TargetLayout layout,
      boolean wholeKeys) {
    this.session = session;
    this.target = target;
    this.open = open;
    this.layout = layout;
    this.wholeKeys = wholeKeys;
  }

  /**
   * The greatest sequences of remembered events whose retention has ended, if any are looked at.
   */
  Optional<DataStream<byte[]>> expired() {
    return Optional.ofNullable(expired);
  }

  /**
   * Events with the existing rows of the touched keys, and what the seeds gave these keys, if there
   * is any.
   */
  DataStream<PackedRecord> with(
      List<DataStream<PackedRecord>> events,
      List<DataStream<byte[]>> truncates,
      List<SeededRows> seeds) {
    DataStream<PackedRecord> all = Streams.union(events);
    if (open.targetSplits().isEmpty() && open.companionSplits().isEmpty() && seeds.isEmpty()) {
      return all;
    }
    DataStream<KeySet> keys = Streams.union(touched(events, truncates));
    String name = target.table().name().toString();
    if (!open.targetSplits().isEmpty()) {
      // Which columns a row lacks is known by its file.
      long kept = layout.partial() ? AddedColumns.of(open.table()).lackedUpTo() : AddedColumns.NONE;
      boolean lacking = layout.type() == StorageType.BITEMPORAL && kept != AddedColumns.NONE;
      ExistingRowDecoder rows =
          wholeKeys || lacking
              ? ExistingRowDecoder.ofWholeKeys(layout)
              : ExistingRowDecoder.ofTarget(layout);
      all =
          all.union(
              RecordStreams.existing(
                  keys,
                  open.targetSplits(),
                  reader(open.table(), rows, open.targetFiles()),
                  Tidying.of(open.table(), rows.columnNames(), kept),
                  name));
    }
    if (!open.companionSplits().isEmpty()) {
      ExistingRowDecoder rows = ExistingRowDecoder.ofCompanion(layout, open.collection());
      Table companion = open.companion().orElseThrow().table();
      all =
          all.union(
              RecordStreams.existing(
                  keys,
                  open.companionSplits(),
                  reader(companion, rows, open.companionFiles()),
                  Tidying.NONE,
                  "the log of " + name));
    }
    for (SeededRows seed : seeds) {
      all =
          all.union(
              RecordStreams.existing(
                  keys, seed.splits(), seed.reader(), Tidying.NONE, "the seed of " + name));
    }
    return all;
  }

  private List<DataStream<KeySet>> touched(
      List<DataStream<PackedRecord>> events, List<DataStream<byte[]>> truncates) {
    List<DataStream<KeySet>> parts = new ArrayList<>();
    for (DataStream<PackedRecord> flow : events) {
      parts.add(flow.transform("keys", JavaSerializer.typeOf(KeySet.class), new KeySetOperator()));
    }
    for (DataStream<byte[]> each : truncates) {
      parts.add(each.map(ExistingRows::truncateOf).returns(JavaSerializer.typeOf(KeySet.class)));
    }
    List<RowSplit> expiring = expiringSplits();
    if (!expiring.isEmpty()) {
      parts.add(expiredKeys(expiring));
    }
    return parts;
  }

  private static KeySet truncateOf(byte[] sequence) {
    KeySet set = new KeySet();
    set.truncateAt(sequence);
    return set;
  }

  /** Most updates are due to forget something, few find anything that is old enough. */
  private List<RowSplit> expiringSplits() {
    return open.companion()
        .map(
            companion ->
                ExpiredKeysFunction.splitsToRead(
                    open.companionSplits(), companion.table(), open.collection()))
        .orElse(List.of());
  }

  private DataStream<KeySet> expiredKeys(List<RowSplit> splits) {
    Table companion = SerializableTable.copyOf(open.companion().orElseThrow().table());
    SingleOutputStreamOperator<KeySet> keys =
        session
            .environment()
            .fromCollection(splits, JavaSerializer.typeOf(RowSplit.class))
            .rebalance()
            .process(new ExpiredKeysFunction(companion, layout, open.collection()))
            .returns(JavaSerializer.typeOf(KeySet.class))
            .name("expired events of " + target.table().name());
    expired =
        keys.getSideOutput(ExpiredKeysFunction.SEQUENCES)
            .transform(
                "greatest expired",
                PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO,
                new GreatestSequenceOperator(Sequence.LOWEST));
    return keys;
  }

  private static ExistingRowsFunction reader(
      Table table, ExistingRowDecoder decoder, List<String> files) {
    return new ExistingRowsFunction(SerializableTable.copyOf(table), decoder, files);
  }
}
