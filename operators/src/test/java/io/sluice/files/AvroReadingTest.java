package io.sluice.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.iceberg.shaded.org.apache.avro.Schema;
import org.apache.iceberg.shaded.org.apache.avro.file.DataFileWriter;
import org.apache.iceberg.shaded.org.apache.avro.generic.GenericData;
import org.apache.iceberg.shaded.org.apache.avro.generic.GenericDatumWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Avro files of other writers. */
class AvroReadingTest {

  @TempDir Path folder;

  private Reading read(String... options) {
    Map<String, String> map = Reading.pairs(options);
    map.put("format", "avro");
    return Reading.of(folder.toString(), map);
  }

  private void avro(String name, String schema, Consumer<GenericData.Record> fill)
      throws IOException {
    Schema type = new Schema.Parser().parse(schema);
    GenericDatumWriter<GenericData.Record> datum = new GenericDatumWriter<>(type);
    try (DataFileWriter<GenericData.Record> writer = new DataFileWriter<>(datum)) {
      writer.create(type, folder.resolve(name).toFile());
      for (int index = 0; index < 2; index++) {
        GenericData.Record row = new GenericData.Record(type);
        row.put("i", index);
        if (index == 0) {
          fill.accept(row);
        }
        writer.append(row);
      }
    }
  }

  private static String optional(String name, String type) {
    return ",{\"name\":\"" + name + "\",\"type\":[\"null\"," + type + "],\"default\":null}";
  }

  @Test
  void avroOfOtherWritersIsReadByName() throws IOException {
    avro(
        "a.avro",
        "{\"type\":\"record\",\"name\":\"r\",\"fields\":[{\"name\":\"i\",\"type\":\"int\"}"
            + optional("l", "\"long\"")
            + optional("f", "\"float\"")
            + optional("d", "\"double\"")
            + optional("s", "\"string\"")
            + optional("raw", "\"bytes\"")
            + optional("e", "{\"type\":\"enum\",\"name\":\"en\",\"symbols\":[\"RED\"]}")
            + optional("day", "{\"type\":\"int\",\"logicalType\":\"date\"}")
            + optional("ms", "{\"type\":\"long\",\"logicalType\":\"timestamp-millis\"}")
            + optional("us", "{\"type\":\"long\",\"logicalType\":\"timestamp-micros\"}")
            + optional(
                "dec",
                "{\"type\":\"bytes\",\"logicalType\":\"decimal\",\"precision\":9,\"scale\":2}")
            + optional(
                "addr",
                "{\"type\":\"record\",\"name\":\"ad\",\"fields\":[{\"name\":\"zip\",\"type\":\"int\"}]}")
            + optional("tags", "{\"type\":\"array\",\"items\":\"int\"}")
            + optional("props", "{\"type\":\"map\",\"values\":\"long\"}")
            + "]}",
        row -> {
          Schema schema = row.getSchema();
          row.put("l", 2L);
          row.put("f", 1.5f);
          row.put("d", 2.5);
          row.put("s", "Köln");
          row.put("raw", ByteBuffer.wrap(new byte[] {1, 2, 3}));
          row.put("e", new GenericData.EnumSymbol(part(schema, "e"), "RED"));
          row.put("day", 19_723);
          row.put("ms", 1_704_067_200_123L);
          row.put("us", 1_704_067_200_123_456L);
          row.put("dec", ByteBuffer.wrap(new BigDecimal("123.45").unscaledValue().toByteArray()));
          GenericData.Record address = new GenericData.Record(part(schema, "addr"));
          address.put("zip", 89_073);
          row.put("addr", address);
          row.put("tags", List.of(1, 2));
          row.put("props", Map.of("x", 9L));
        });

    Reading reading = read();

    assertThat(reading.schema.data().asSummaryString())
        .isEqualTo(
            "ROW<`i` INT, `l` BIGINT, `f` FLOAT, `d` DOUBLE, `s` STRING, `raw` BYTES, `e` STRING,"
                + " `day` DATE, `ms` TIMESTAMP_LTZ(6), `us` TIMESTAMP_LTZ(6), `dec` DECIMAL(9, 2),"
                + " `addr` ROW<`zip` INT NOT NULL>, `tags` ARRAY<INT NOT NULL>, `props` MAP<STRING"
                + " NOT NULL, BIGINT NOT NULL>, `_rescued_data` STRING> NOT NULL");
    assertThat(reading.json("i")).containsExactly("0", "1");
    assertThat(reading.json("s")).containsExactly("\"Köln\"", "null");
    assertThat(reading.json("raw").get(0)).isEqualTo("\"AQID\"");
    assertThat(reading.json("e").get(0)).isEqualTo("\"RED\"");
    assertThat(reading.json("day").get(0)).isEqualTo("\"2024-01-01\"");
    assertThat(reading.json("ms").get(0)).isEqualTo("\"2024-01-01T00:00:00.123Z\"");
    assertThat(reading.json("us").get(0)).isEqualTo("\"2024-01-01T00:00:00.123456Z\"");
    assertThat(reading.json("dec").get(0)).isEqualTo("123.45");
    assertThat(reading.json("addr")).containsExactly("{\"zip\":89073}", "null");
    assertThat(reading.json("tags")).containsExactly("[1,2]", "null");
    assertThat(reading.json("props")).containsExactly("{\"x\":9}", "null");
    assertThat(reading.offsets).containsExactly(0L, 1L);
  }

  private static Schema part(Schema record, String field) {
    return record.getField(field).schema().getTypes().get(1);
  }

  @Test
  void localTimestampsOfAvroStayLocal() throws IOException {
    avro(
        "a.avro",
        "{\"type\":\"record\",\"name\":\"r\",\"fields\":[{\"name\":\"i\",\"type\":\"int\"}"
            + optional("t", "{\"type\":\"long\",\"logicalType\":\"local-timestamp-micros\"}")
            + "]}",
        row -> row.put("t", 1_704_067_200_123_456L));

    assertThat(read().json("t").get(0)).isEqualTo("\"2024-01-01T00:00:00.123456\"");
  }
}
