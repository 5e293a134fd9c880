package io.sluice.sequencing;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.sequencing.KeyedRecord.ExistingRow;
import io.sluice.sequencing.KeyedRecord.NewEvent;
import io.sluice.sequencing.KeyedRecord.Remembered;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.apache.flink.api.common.typeutils.TypeSerializerSchemaCompatibility;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.binary.BinaryRowData;
import org.apache.flink.table.runtime.typeutils.RowDataSerializer;
import org.apache.flink.table.types.logical.IntType;
import org.apache.flink.table.types.logical.VarCharType;
import org.junit.jupiter.api.Test;

class KeyedRecordSerializerTest {

  private static final RowKey KEY = new RowKey(new byte[] {1, 2, 3});
  private static final byte[] SEQUENCE = {0, 0, 9};

  private final KeyedRecordSerializer serializer = new KeyedRecordSerializer(2);

  private static BinaryRowData values(int id, String text) {
    return new RowDataSerializer(new IntType(), new VarCharType(VarCharType.MAX_LENGTH))
        .toBinaryRow(GenericRowData.of(id, StringData.fromString(text)))
        .copy();
  }

  private KeyedRecord roundTrip(KeyedRecord record) throws IOException {
    DataOutputSerializer out = new DataOutputSerializer(64);
    serializer.serialize(record, out);
    DataInputDeserializer in = new DataInputDeserializer(out.getCopyOfBuffer());
    KeyedRecord back = serializer.deserialize(in);
    assertThat(in.available()).isZero();
    return back;
  }

  @Test
  void events_come_back_as_they_were() throws IOException {
    for (KeyedRecord record :
        List.of(
            new NewEvent(KEY, SEQUENCE, values(7, "x"), 2, 1 << 20, Long.MAX_VALUE),
            new NewEvent(KEY, SEQUENCE, null, 0, -1, -1))) {
      assertThat(roundTrip(record)).usingRecursiveComparison().isEqualTo(record);
    }
  }

  @Test
  void existing_rows_come_back_as_they_were() throws IOException {
    for (KeyedRecord record :
        List.of(
            new ExistingRow(KEY, SEQUENCE, new byte[0], values(-1, "\u00e9"), 0, 0),
            new ExistingRow(KEY, null, null, values(0, ""), 77, 1L << 40))) {
      assertThat(roundTrip(record)).usingRecursiveComparison().isEqualTo(record);
    }
  }

  @Test
  void remembered_events_come_back_as_they_were() throws IOException {
    for (KeyedRecord record :
        List.of(
            new Remembered(KEY, SEQUENCE, values(1, "a"), "flow", "/x/y", 12, 3, 4),
            new Remembered(KEY, SEQUENCE, null, null, null, -1, 3, 4))) {
      assertThat(roundTrip(record)).usingRecursiveComparison().isEqualTo(record);
    }
  }

  @Test
  void a_state_with_another_number_of_columns_is_incompatible() {
    TypeSerializerSnapshot<KeyedRecord> two = new KeyedRecordSerializer(2).snapshotConfiguration();
    TypeSerializerSnapshot<KeyedRecord> three =
        new KeyedRecordSerializer(3).snapshotConfiguration();
    TypeSerializerSchemaCompatibility<KeyedRecord> same =
        two.resolveSchemaCompatibility(new KeyedRecordSerializer(2).snapshotConfiguration());
    assertThat(same.isCompatibleAsIs()).isTrue();
    assertThat(three.resolveSchemaCompatibility(two).isIncompatible()).isTrue();
  }

  @Test
  void keys_of_one_width_sort_like_their_serialised_form() throws IOException {
    DataOutputSerializer low = new DataOutputSerializer(8);
    DataOutputSerializer high = new DataOutputSerializer(8);
    RowKeySerializer.INSTANCE.serialize(new RowKey(new byte[] {1, 5}), low);
    RowKeySerializer.INSTANCE.serialize(new RowKey(new byte[] {(byte) 200, 0}), high);
    assertThat(Arrays.compareUnsigned(low.getCopyOfBuffer(), high.getCopyOfBuffer())).isNegative();
  }
}
