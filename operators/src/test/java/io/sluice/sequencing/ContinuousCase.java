package io.sluice.sequencing;

import io.sluice.history.Sequence;
import io.sluice.history.SequenceEncoder;
import io.sluice.history.StorageType;
import io.sluice.sequencing.KeyedRecord.NewEvent;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.binary.BinaryRowData;
import org.apache.flink.table.runtime.typeutils.RowDataSerializer;
import org.apache.flink.table.types.logical.BigIntType;
import org.apache.flink.table.types.logical.IntType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.VarCharType;

/** The kinds of targets that a continuous job is tested with, and events of them. */
enum ContinuousCase {
  SCD1(StorageType.SCD1, true, false),
  SCD1_PARTIAL(StorageType.SCD1, true, true),
  SCD2(StorageType.SCD2, true, false),
  SCD2_TRACKING(StorageType.SCD2, false, false),
  SCD2_PARTIAL(StorageType.SCD2, true, true),
  SCD2_PARTIAL_TRACKING(StorageType.SCD2, false, true),
  BITEMPORAL(StorageType.BITEMPORAL, true, false),
  BITEMPORAL_TRACKING(StorageType.BITEMPORAL, false, false);

  final TargetLayout layout;
  private final RowDataSerializer serializer;

  ContinuousCase(StorageType type, boolean tracksAll, boolean partial) {
    this.layout =
        new TargetLayout(
            "towns",
            type,
            columns(),
            List.of(0),
            List.of(1),
            tracksAll,
            OrderedColumn.ofSequence("n", new BigIntType()),
            type == StorageType.BITEMPORAL ? OrderedColumn.ofSequence("s", new BigIntType()) : null,
            partial);
    this.serializer = new RowDataSerializer(layout.valueColumns());
  }

  private static RowType columns() {
    return RowType.of(
        new LogicalType[] {new IntType(), new VarCharType(VarCharType.MAX_LENGTH), new IntType()},
        new String[] {"id", "town", "size"});
  }

  RowKey key(int id) {
    return new RowKey(new SequenceEncoder().putInt(id).toBytes());
  }

  private static byte[] at(long sequence) {
    return new SequenceEncoder().putLong(sequence).toBytes();
  }

  private byte[] system(long sequence) {
    return layout.systemSequence() == null ? null : at(sequence);
  }

  /**
   * An upsert of the flow's only source.
   *
   * @param town null where it is NULL, or not authored
   * @param authored which of id, town and size it writes; null for all
   */
  NewEvent upsert(
      int id, String town, int size, BitSet authored, long sequence, long system, long offset) {
    GenericRowData row = new GenericRowData(layout.valueColumns().getFieldCount());
    row.setField(0, id);
    row.setField(1, town == null ? null : StringData.fromString(town));
    row.setField(2, size);
    if (layout.partial()) {
      row.setField(3, authored == null ? null : authored.toByteArray());
    }
    BinaryRowData values = serializer.toBinaryRow(row).copy();
    return new NewEvent(key(id), at(sequence), system(system), values, 0, 0, offset);
  }

  NewEvent upsert(int id, String town, long sequence) {
    return upsert(id, town, 1, null, sequence, sequence, sequence);
  }

  NewEvent delete(int id, long sequence, long system, long offset) {
    return new NewEvent(key(id), at(sequence), system(system), null, 0, 0, offset);
  }

  NewEvent delete(int id, long sequence) {
    return delete(id, sequence, sequence, sequence);
  }

  RowType fullColumns() {
    List<RowType.RowField> fields = new ArrayList<>(columns().getFields());
    for (String name : layout.generatedColumns()) {
      fields.add(new RowType.RowField(name, new BigIntType()));
    }
    return new RowType(false, fields);
  }

  /** The plan of a job whose tables have these files. */
  static SequencerPlan plan(List<String> targetFiles, List<String> companionFiles) {
    return new SequencerPlan(
        List.of(new FlowSources("feed", 0, List.of("topic-0"), "offset")),
        targetFiles,
        companionFiles,
        false,
        0,
        4,
        Collection.NONE,
        Sequence.LOWEST);
  }
}
