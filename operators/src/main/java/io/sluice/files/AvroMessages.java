package io.sluice.files;

import io.sluice.errors.SluiceException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.RowType;
import org.apache.iceberg.Schema;
import org.apache.iceberg.avro.AvroSchemaUtil;
import org.apache.iceberg.flink.FlinkSchemaUtil;
import org.apache.iceberg.flink.data.FlinkPlannedAvroReader;
import org.apache.iceberg.mapping.MappingUtil;
import org.apache.iceberg.shaded.org.apache.avro.NameValidator;
import org.apache.iceberg.shaded.org.apache.avro.io.BinaryDecoder;
import org.apache.iceberg.shaded.org.apache.avro.io.DecoderFactory;

/**
 * Messages in Avro with the id of their schema in front, a zero byte and four bytes of number, as
 * Confluent's serializers write them. Each message is read with the schema that it was written
 * with; its fields go to the columns of the same name.
 */
final class AvroMessages {

  private static final int HEADER_BYTES = 5;

  private final SchemaRegistry registry;
  private final RowAssembler rows;
  private final Map<Integer, Optional<Written>> schemas = new HashMap<>();
  private BinaryDecoder decoder;

  /** A schema that messages were written with. */
  private record Written(
      FlinkPlannedAvroReader reader, RowType type, TypedRowConversion conversion) {}

  AvroMessages(SchemaRegistry registry, RowAssembler rows) {
    this.registry = registry;
    this.rows = rows;
  }

  /** Reads a message that {@code rows} has been started with. */
  void read(byte[] value, long offset) throws IOException {
    GenericRowData row = rows.startRecord();
    if (value.length < HEADER_BYTES || value[0] != 0) {
      rows.malformed("the message has no id of an Avro schema in front", hex(value), offset);
      return;
    }
    int id = ByteBuffer.wrap(value).getInt(1);
    Optional<Written> written;
    RowData record;
    try {
      written = schemas.computeIfAbsent(id, this::written);
      if (written.isEmpty()) {
        rows.malformed("the registry has no schema " + id, hex(value), offset);
        return;
      }
      decoder =
          DecoderFactory.get()
              .binaryDecoder(value, HEADER_BYTES, value.length - HEADER_BYTES, decoder);
      record = written.get().reader().read(null, decoder);
    } catch (SluiceException e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      rows.malformed("no Avro of schema " + id + ": " + e.getMessage(), hex(value), offset);
      return;
    }
    written.get().conversion().convert(record, rows.faults(), row);
    if (!decoder.isEnd()) {
      rows.faults().fail("there are bytes behind the Avro record of schema " + id);
    }
    RowType type = written.get().type();
    rows.finish(row, offset, () -> JsonValues.text(record, type));
  }

  private Optional<Written> written(int id) {
    return registry.schema(id).map(this::written);
  }

  private Written written(String text) {
    var avro =
        AvroTimestamps.asIceberg(
            new org.apache.iceberg.shaded.org.apache.avro.Schema.Parser(NameValidator.NO_VALIDATION)
                .setValidateDefaults(false)
                .parse(text));
    Schema schema = AvroSchemaUtil.toIceberg(avro);
    FlinkPlannedAvroReader reader = FlinkPlannedAvroReader.create(schema);
    reader.setSchema(AvroSchemaUtil.applyNameMapping(avro, MappingUtil.create(schema)));
    RowType type = FlinkSchemaUtil.convert(schema);
    return new Written(reader, type, new TypedRowConversion(type, rows.columns()));
  }

  private static String hex(byte[] value) {
    int length = Math.min(value.length, FileRowReader.MAX_RAW_CHARACTERS);
    return "0x" + HexFormat.of().formatHex(value, 0, length);
  }
}
