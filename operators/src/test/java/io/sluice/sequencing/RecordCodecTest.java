package io.sluice.sequencing;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.sequencing.KeyedRecord.ExistingRow;
import io.sluice.sequencing.KeyedRecord.NewEvent;
import io.sluice.sequencing.KeyedRecord.Remembered;
import io.sluice.sequencing.KeyedRecord.Retention;
import io.sluice.sequencing.KeyedRecord.Tidied;
import java.io.IOException;
import java.util.List;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.binary.BinaryRowData;
import org.apache.flink.table.runtime.typeutils.RowDataSerializer;
import org.apache.flink.table.types.logical.IntType;
import org.apache.flink.table.types.logical.VarCharType;
import org.junit.jupiter.api.Test;

class RecordCodecTest {

  private static final RowKey KEY = new RowKey(new byte[] {1, 2, 3});
  private static final byte[] SEQUENCE = {0, 0, 9};

  private final RecordCodec codec = new RecordCodec(2);

  private static BinaryRowData values(int id, String text) {
    return new RowDataSerializer(new IntType(), new VarCharType(VarCharType.MAX_LENGTH))
        .toBinaryRow(GenericRowData.of(id, StringData.fromString(text)))
        .copy();
  }

  private KeyedRecord roundTrip(KeyedRecord record) {
    return codec.unpack(codec.pack(record));
  }

  @Test
  void events_come_back_as_they_were() {
    for (KeyedRecord record :
        List.of(
            new NewEvent(KEY, SEQUENCE, values(7, "x"), 2, 1 << 20, Long.MAX_VALUE),
            new NewEvent(KEY, SEQUENCE, new byte[] {5}, values(7, "x"), 2, 1, 3),
            new NewEvent(KEY, SEQUENCE, null, values(7, "x"), 2, -1, 3, "topic-7"),
            new NewEvent(KEY, SEQUENCE, null, 0, -1, -1))) {
      assertThat(roundTrip(record))
          .usingRecursiveComparison()
          .withEqualsForType(BinaryRowData::equals, BinaryRowData.class)
          .isEqualTo(record);
    }
  }

  @Test
  void existing_rows_come_back_as_they_were() {
    for (KeyedRecord record :
        List.of(
            new ExistingRow(KEY, SEQUENCE, new byte[0], values(-1, "\u00e9"), 0, 0),
            new ExistingRow(
                KEY, SEQUENCE, null, new byte[] {1}, new byte[] {2}, values(-1, "a"), 0, 0),
            new ExistingRow(KEY, null, null, values(0, ""), 77, 1L << 40),
            new Tidied(KEY, new ExistingRow(KEY, SEQUENCE, null, values(3, "x"), 1, 2)))) {
      assertThat(roundTrip(record))
          .usingRecursiveComparison()
          .withEqualsForType(BinaryRowData::equals, BinaryRowData.class)
          .isEqualTo(record);
    }
  }

  @Test
  void remembered_events_come_back_as_they_were() {
    for (KeyedRecord record :
        List.of(
            new Remembered(KEY, SEQUENCE, values(1, "a"), "flow", "/x/y", 12, 3, 4, Retention.ENDS),
            new Remembered(
                KEY,
                SEQUENCE,
                new byte[] {9},
                values(1, "a"),
                null,
                "rows",
                -1,
                3,
                4,
                77,
                Retention.LASTS),
            new Remembered(KEY, SEQUENCE, null, null, null, -1, 3, 4, Retention.LASTS))) {
      assertThat(roundTrip(record))
          .usingRecursiveComparison()
          .withEqualsForType(BinaryRowData::equals, BinaryRowData.class)
          .isEqualTo(record);
    }
  }

  @Test
  void the_sort_key_of_a_packed_record_is_that_of_its_key() {
    for (int length : new int[] {1, 7, 8, 9, 127, 128, 300}) {
      byte[] bytes = new byte[length];
      for (int i = 0; i < length; i++) {
        bytes[i] = (byte) (i * 7 - length);
      }
      RowKey key = new RowKey(bytes);
      PackedRecord packed = codec.pack(new NewEvent(key, SEQUENCE, null, 0, 0, 0));
      assertThat(packed.sortKey()).isEqualTo(key.sortKey());
      assertThat(codec.unpack(packed).key()).isEqualTo(key);
    }
  }

  @Test
  void only_events_enter_a_key_set() {
    KeySet keys = new KeySet();
    codec.addEventTo(keys, codec.pack(new ExistingRow(KEY, SEQUENCE, null, values(1, ""), 0, 0)));
    codec.addEventTo(
        keys,
        codec.pack(new Remembered(KEY, SEQUENCE, null, null, null, -1, 3, 4, Retention.LASTS)));
    assertThat(keys.isEmpty()).isTrue();
    codec.addEventTo(keys, codec.pack(new NewEvent(KEY, SEQUENCE, null, 0, -1, -1)));
    assertThat(keys.few()).containsExactly(KEY);
    assertThat(keys.leastSequence()).isEqualTo(SEQUENCE);
  }

  @Test
  void a_bitemporal_event_enters_a_key_set_with_its_system_sequence() {
    KeySet keys = new KeySet();
    codec.addEventTo(
        keys, codec.pack(new NewEvent(KEY, SEQUENCE, new byte[] {5}, null, 0, -1, -1)));
    assertThat(keys.leastSequence()).isEqualTo(SEQUENCE);
    assertThat(keys.leastSystemSequence()).isEqualTo(new byte[] {5});
  }

  @Test
  void serialised_records_come_back_one_after_the_other() throws IOException {
    PackedRecord first = codec.pack(new NewEvent(KEY, SEQUENCE, values(7, "x"), 2, 3, 4));
    PackedRecord second = codec.pack(new NewEvent(KEY, SEQUENCE, null, 2, 3, 5));
    DataOutputSerializer out = new DataOutputSerializer(64);
    PackedRecordSerializer.INSTANCE.serialize(first, out);
    PackedRecordSerializer.INSTANCE.serialize(second, out);
    DataOutputSerializer copied = new DataOutputSerializer(64);
    DataInputDeserializer in = new DataInputDeserializer(out.getCopyOfBuffer());
    PackedRecordSerializer.INSTANCE.copy(in, copied);
    PackedRecordSerializer.INSTANCE.copy(in, copied);
    DataInputDeserializer back = new DataInputDeserializer(copied.getCopyOfBuffer());
    assertThat(PackedRecordSerializer.INSTANCE.deserialize(back)).isEqualTo(first);
    assertThat(PackedRecordSerializer.INSTANCE.deserialize(back)).isEqualTo(second);
    assertThat(back.available()).isZero();
  }
}
