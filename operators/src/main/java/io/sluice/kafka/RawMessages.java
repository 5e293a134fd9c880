package io.sluice.kafka;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.connector.kafka.source.reader.deserializer.KafkaRecordDeserializationSchema;
import org.apache.flink.table.data.GenericMapData;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.runtime.typeutils.InternalTypeInfo;
import org.apache.flink.table.types.logical.BigIntType;
import org.apache.flink.table.types.logical.IntType;
import org.apache.flink.table.types.logical.MapType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.VarBinaryType;
import org.apache.flink.table.types.logical.VarCharType;
import org.apache.flink.util.Collector;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;

/** Messages as they are: nothing about them can fail, so that no message stops a job. */
public final class RawMessages implements KafkaRecordDeserializationSchema<RowData> {

  private static final long serialVersionUID = 1L;

  /** Column with the partition. */
  public static final int PARTITION = 0;

  /** Column with the offset. */
  public static final int OFFSET = 1;

  static final int TIMESTAMP = 2;
  static final int KEY = 3;
  static final int VALUE = 4;
  static final int HEADERS = 5;

  private static final VarBinaryType BYTES = new VarBinaryType(VarBinaryType.MAX_LENGTH);

  /** Headers by name; of several with one name the last. */
  static final MapType HEADERS_TYPE =
      new MapType(new VarCharType(false, VarCharType.MAX_LENGTH), BYTES);

  /** A message: partition, offset, timestamp in milliseconds, key, value, headers. */
  static final RowType TYPE =
      new RowType(
          false,
          List.of(
              new RowType.RowField("partition", new IntType(false)),
              new RowType.RowField("offset", new BigIntType(false)),
              new RowType.RowField("timestamp", new BigIntType()),
              new RowType.RowField("key", BYTES),
              new RowType.RowField("value", BYTES),
              new RowType.RowField("headers", HEADERS_TYPE)));

  @Override
  public void deserialize(ConsumerRecord<byte[], byte[]> message, Collector<RowData> out) {
    out.collect(
        GenericRowData.of(
            message.partition(),
            message.offset(),
            message.timestamp() < 0 ? null : message.timestamp(),
            message.key(),
            message.value(),
            headers(message)));
  }

  private static GenericMapData headers(ConsumerRecord<byte[], byte[]> message) {
    Map<StringData, byte[]> headers = new HashMap<>();
    for (Header header : message.headers()) {
      headers.put(StringData.fromString(header.key()), header.value());
    }
    return new GenericMapData(headers);
  }

  @Override
  public TypeInformation<RowData> getProducedType() {
    return InternalTypeInfo.of(TYPE);
  }
}
