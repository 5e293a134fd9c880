package io.sluice.sequencing;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.history.Sequence;
import io.sluice.history.SequenceEncoder;
import io.sluice.history.StorageType;
import io.sluice.sequencing.RowChange.Destination;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.functions.KeySelector;
import org.apache.flink.streaming.api.operators.KeyedProcessOperator;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.binary.BinaryRowData;
import org.apache.flink.table.runtime.typeutils.RowDataSerializer;
import org.apache.flink.table.types.logical.BigIntType;
import org.apache.flink.table.types.logical.IntType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.VarCharType;

/** A table {@code towns (id INT, town STRING)} with a BIGINT sequence, and what is done with it. */
final class TownRecords {

  static final RowType COLUMNS =
      RowType.of(
          new LogicalType[] {new IntType(), new VarCharType(VarCharType.MAX_LENGTH)},
          new String[] {"id", "town"});

  private static final OrderedColumn SEQUENCE = OrderedColumn.ofSequence("n", new BigIntType());

  private TownRecords() {}

  static TargetLayout layout(StorageType type) {
    return type == StorageType.BITEMPORAL
        ? new TargetLayout(
            "towns",
            type,
            COLUMNS,
            List.of(0),
            List.of(1),
            true,
            SEQUENCE,
            OrderedColumn.ofSequence("s", new BigIntType()),
            false)
        : new TargetLayout("towns", type, COLUMNS, List.of(0), List.of(1), true, SEQUENCE, false);
  }

  /** Update 4, in which one flow writes the rows of one file, and the companion has another one. */
  static SequencerPlan plan(FlowSources flow, boolean failOnTies) {
    return new SequencerPlan(
        List.of(flow),
        List.of("old.parquet"),
        List.of("log.parquet"),
        failOnTies,
        1_700_000_000_000_000L,
        4,
        Collection.NONE,
        Sequence.LOWEST);
  }

  static RowKey key(int id) {
    return new RowKey(new SequenceEncoder().putInt(id).toBytes());
  }

  static byte[] at(long sequence) {
    return new SequenceEncoder().putLong(sequence).toBytes();
  }

  static BinaryRowData row(int id, String town) {
    return new RowDataSerializer(COLUMNS)
        .toBinaryRow(GenericRowData.of(id, StringData.fromString(town)))
        .copy();
  }

  /** The columns of a row of the target: id, town and its bounds or its sequence. */
  static RowType columnsOf(StorageType type) {
    LogicalType id = new IntType();
    LogicalType town = new VarCharType(VarCharType.MAX_LENGTH);
    LogicalType number = new BigIntType();
    return switch (type) {
      case SCD1 -> RowType.of(id, town, number);
      case SCD2 -> RowType.of(id, town, number, number);
      case BITEMPORAL -> RowType.of(id, town, number, number, number, number);
    };
  }

  /** What a sequencer emits for all records at the end of its input; nothing stays in its state. */
  static List<RowChange> changes(
      KeyAtATime<RowChange> sequencer, StorageType type, List<KeyedRecord> records)
      throws Exception {
    return changes(sequencer, type, PackedRecord::sortKey, records);
  }

  /** As {@link #changes(KeyAtATime, StorageType, List)}, with other keys of Flink. */
  static List<RowChange> changes(
      KeyAtATime<RowChange> sequencer,
      StorageType type,
      KeySelector<PackedRecord, Long> keys,
      List<KeyedRecord> records)
      throws Exception {
    RecordCodec codec = new RecordCodec(COLUMNS.getFieldCount());
    try (var harness =
        new KeyedOneInputStreamOperatorTestHarness<>(
            new KeyedProcessOperator<>(sequencer), keys, Types.LONG)) {
      harness.setup(
          new RowChangeSerializer(
              Map.of(
                  Destination.TARGET,
                  columnsOf(type),
                  Destination.MOVED,
                  columnsOf(type),
                  Destination.COMPANION,
                  layout(type).companionColumns())));
      harness.open();
      for (KeyedRecord record : records) {
        harness.processElement(codec.pack(record), 0);
      }
      assertThat(harness.extractOutputValues()).isEmpty();
      harness.processWatermark(Watermark.MAX_WATERMARK);
      assertThat(harness.numKeyedStateEntries()).isZero();
      assertThat(harness.numEventTimeTimers()).isZero();
      return harness.extractOutputValues();
    }
  }
}
