package io.sluice.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.table.data.RowData;
import org.junit.jupiter.api.Test;

class MessageReaderTest {

  private final List<String> told = new ArrayList<>();

  private boolean read(MessageFormat format, String schema, String message) {
    MessageLayout layout = new MessageLayout(FileSchema.declared(schema), null);
    MessageReader reader = new MessageReader(format, layout, SchemaEvolutionMode.NONE, ';', "");
    return reader.read(
        message.getBytes(StandardCharsets.UTF_8),
        "orders-3",
        3,
        17,
        null,
        new RowSink() {
          @Override
          public void row(RowData row, long offset) {
            told.add(JsonValues.text(row, reader.producedType()) + " @" + offset);
          }

          @Override
          public void malformed(String reason, String raw, long offset) {
            told.add(reason + " @" + offset + ": " + raw);
          }
        });
  }

  @Test
  void aMessageIsOneJsonObject() {
    read(MessageFormat.JSON, "id INT", "{\"id\":1}");
    read(MessageFormat.JSON, "id INT", "{\"id\":1} {\"id\":2}");
    read(MessageFormat.JSON, "id INT", "17");
    read(MessageFormat.JSON, "id INT", "");
    read(MessageFormat.JSON, "id INT", "{\"id\":");
    assertThat(told.get(0)).isEqualTo("{\"id\":1,\"__file_ordinal\":3,\"__file_offset\":17} @17");
    assertThat(told.get(1)).startsWith("there is text behind the JSON object @17");
    assertThat(told.get(2)).startsWith("the message is no JSON object");
    assertThat(told.get(3)).startsWith("the message is no JSON object");
    assertThat(told.get(4)).startsWith("no valid JSON");
    assertThat(told).hasSize(5);
  }

  @Test
  void debeziumMayPutItsSchemaAroundAnEvent() {
    String schema = "op STRING, n INT";
    read(MessageFormat.DEBEZIUM_JSON, schema, "{\"op\":\"c\",\"n\":1}");
    read(
        MessageFormat.DEBEZIUM_JSON,
        schema,
        "{\"schema\":{\"fields\":[{\"payload\":1}]},\"payload\":{\"op\":\"d\",\"n\":2}}");
    read(MessageFormat.DEBEZIUM_JSON, schema, "{\"payload\":{\"n\":3},\"schema\":null}");
    assertThat(read(MessageFormat.DEBEZIUM_JSON, schema, "{\"schema\":null,\"payload\":null}"))
        .isFalse();
    read(MessageFormat.DEBEZIUM_JSON, schema, "{\"schema\":null}");
    assertThat(told).hasSize(4);
    assertThat(told.get(0)).startsWith("{\"op\":\"c\",\"n\":1");
    assertThat(told.get(1)).startsWith("{\"op\":\"d\",\"n\":2");
    assertThat(told.get(2)).startsWith("{\"op\":null,\"n\":3");
    assertThat(told.get(3)).startsWith("the message is no JSON object");
  }

  @Test
  void aMessageIsOneRecordOfDelimitedText() {
    String schema = "id INT, t STRING";
    read(MessageFormat.CSV, schema, "1;\"a;b\"\n");
    read(MessageFormat.CSV, schema, "1");
    read(MessageFormat.CSV, schema, "1;a\n2;b");
    read(MessageFormat.CSV, schema, "one;a");
    read(MessageFormat.CSV, schema, "");
    assertThat(told.get(0)).startsWith("{\"id\":1,\"t\":\"a;b\"");
    assertThat(told.get(1)).startsWith("the record has 1 fields, not 2 @17");
    assertThat(told.get(2)).startsWith("the message holds more than one record");
    assertThat(told.get(3)).startsWith("column 'id' is INT, found 'one'");
    assertThat(told.get(4)).startsWith("the message is empty");
  }
}
