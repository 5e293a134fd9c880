package io.sluice.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.sluice.errors.ErrorCode;
import io.sluice.errors.SluiceException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.flink.table.data.RowData;
import org.apache.iceberg.shaded.org.apache.avro.Schema;
import org.apache.iceberg.shaded.org.apache.avro.generic.GenericData;
import org.apache.iceberg.shaded.org.apache.avro.generic.GenericDatumWriter;
import org.apache.iceberg.shaded.org.apache.avro.io.BinaryEncoder;
import org.apache.iceberg.shaded.org.apache.avro.io.EncoderFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class AvroMessagesTest {

  private static final Schema OLD =
      new Schema.Parser()
          .parse(
              "{'type':'record','name':'r','fields':[{'name':'id','type':'int'},".replace('\'', '"')
                  + "{'name':'name','type':['string','null']}]}".replace('\'', '"'));
  private static final Schema NEW =
      new Schema.Parser()
          .parse(
              "{'type':'record','name':'r','fields':[{'name':'at','type':{'type':'long',"
                      .replace('\'', '"')
                  + "'logicalType':'timestamp-millis'}},{'name':'id','type':'long'}]}"
                      .replace('\'', '"'));

  private final List<String> told = new ArrayList<>();
  private final List<String> asked = new ArrayList<>();
  private HttpServer registry;
  private MessageReader reader;

  @BeforeEach
  void start() throws IOException {
    registry = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    Map<String, Schema> schemas = Map.of("/schemas/ids/7", OLD, "/schemas/ids/8", NEW);
    registry.createContext(
        "/",
        exchange -> {
          String path = exchange.getRequestURI().getPath();
          asked.add(path + " " + exchange.getRequestHeaders().getFirst("Authorization"));
          Schema schema = schemas.get(path);
          byte[] body =
              schema == null
                  ? new byte[0]
                  : ("{\"schema\":" + JsonValues.text(schema.toString()) + "}")
                      .getBytes(StandardCharsets.UTF_8);
          int status = path.endsWith("/500") ? 500 : schema == null ? 404 : 200;
          exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    registry.start();
    reader =
        new MessageReader(
            MessageFormat.AVRO,
            new MessageLayout(FileSchema.declared("id BIGINT, name STRING, at TIMESTAMP"), null),
            SchemaEvolutionMode.NONE,
            ',',
            "http://me:secret@127.0.0.1:" + registry.getAddress().getPort());
  }

  @AfterEach
  void stop() {
    registry.stop(0);
  }

  private void read(byte[] message) {
    reader.read(
        message,
        "orders-0",
        0,
        4,
        null,
        new RowSink() {
          @Override
          public void row(RowData row, long offset) {
            told.add(JsonValues.text(row, reader.producedType()));
          }

          @Override
          public void malformed(String reason, String raw, long offset) {
            told.add(reason + " @" + offset + ": " + raw);
          }
        });
  }

  private static byte[] message(int id, Schema schema, Object... values) throws IOException {
    GenericData.Record record = new GenericData.Record(schema);
    for (int i = 0; i < values.length; i++) {
      record.put(i, values[i]);
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.write(0);
    bytes.write(ByteBuffer.allocate(4).putInt(id).array());
    BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(bytes, null);
    new GenericDatumWriter<GenericData.Record>(schema).write(record, encoder);
    encoder.flush();
    return bytes.toByteArray();
  }

  @Test
  void each_message_is_read_with_the_schema_that_it_was_written_with() throws IOException {
    read(message(7, OLD, 1, "a"));
    read(message(8, NEW, 1_000L, 2L));
    read(message(7, OLD, 3, null));
    assertThat(told).hasSize(3);
    assertThat(told.get(0)).startsWith("{\"id\":1,\"name\":\"a\",\"at\":null");
    assertThat(told.get(1)).startsWith("{\"id\":2,\"name\":null,\"at\":\"1970-01-01T00:00:01Z\"");
    assertThat(told.get(2)).startsWith("{\"id\":3,\"name\":null,\"at\":null");
    assertThat(asked)
        .as("each schema is asked for once, with the user of the address")
        .containsExactly("/schemas/ids/7 Basic bWU6c2VjcmV0", "/schemas/ids/8 Basic bWU6c2VjcmV0");
  }

  @Test
  void messages_that_are_no_avro_of_a_known_schema_are_malformed() throws IOException {
    read("{}".getBytes(StandardCharsets.UTF_8));
    read(message(9, OLD, 1, "a"));
    byte[] cut = message(7, OLD, 1, "abc");
    read(java.util.Arrays.copyOf(cut, cut.length - 2));
    read(java.util.Arrays.copyOf(cut, cut.length + 1));
    assertThat(told).hasSize(4);
    assertThat(told.get(0))
        .isEqualTo("the message has no id of an Avro schema in front @4: 0x7b7d");
    assertThat(told.get(1)).startsWith("the registry has no schema 9 @4: 0x00");
    assertThat(told.get(2)).startsWith("no Avro of schema 7");
    assertThat(told.get(3)).startsWith("there are bytes behind the Avro record of schema 7");
  }

  @Test
  void a_registry_that_refuses_is_an_error() {
    byte[] message = {0, 0, 0, 1, (byte) 0xF4};
    assertThatThrownBy(() -> read(message))
        .isInstanceOfSatisfying(
            SluiceException.class,
            e -> {
              assertThat(e.code()).isEqualTo(ErrorCode.KAFKA_UNAVAILABLE);
              assertThat(e.getMessage()).contains("status 500").doesNotContain("secret");
            });
  }
}
