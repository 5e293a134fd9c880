package io.sluice.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.SluiceException;
import io.sluice.files.MessageFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.flink.table.types.logical.LogicalTypeRoot;
import org.apache.flink.table.types.logical.RowType;
import org.apache.kafka.common.IsolationLevel;
import org.junit.jupiter.api.Test;

class ReadKafkaOptionsTest {

  private static Map<String, String> with(String... more) {
    Map<String, String> options = new LinkedHashMap<>();
    options.put("bootstrapServers", "host:9092");
    options.put("topic", "orders");
    options.put("format", "json");
    options.put("schema", "id INT");
    for (int i = 0; i < more.length; i += 2) {
      options.put(more[i], more[i + 1]);
    }
    return options;
  }

  private static SluiceException refused(Map<String, String> options) {
    return catchThrowableOfType(SluiceException.class, () -> ReadKafkaOptions.of(options));
  }

  @Test
  void propertiesOfKafkaGoToItsClients() {
    KafkaTopic topic =
        ReadKafkaOptions.of(with("kafka.security.protocol", "SSL", "kafka.max.poll.records", "10"))
            .topic();
    assertThat(topic.properties())
        .containsOnly(Map.entry("security.protocol", "SSL"), Map.entry("max.poll.records", "10"));
    assertThat(topic.consumerProperties())
        .containsEntry("max.poll.records", "10")
        .containsEntry("bootstrap.servers", "host:9092")
        .containsEntry("isolation.level", "read_committed");
    assertThat(topic.adminProperties())
        .containsEntry("security.protocol", "SSL")
        .doesNotContainKey("max.poll.records");
    assertThat(
            ReadKafkaOptions.of(with("kafka.isolation.level", "read_uncommitted"))
                .topic()
                .isolation())
        .isEqualTo(IsolationLevel.READ_UNCOMMITTED);
  }

  @Test
  void namesOfOtherProductsAreErrorsWithTheNameHere() {
    for (String name : new String[] {"subscribe", "subscribePattern", "assign"}) {
      SluiceException e = refused(with(name, "x"));
      assertThat(e.code()).isEqualTo(ErrorCode.UNKNOWN_OPTION);
      assertThat(e.problems().get(0).remedy()).contains("topic => '..'");
    }
    assertThat(refused(with("kafka.bootstrap.servers", "x")).problems().get(0).remedy())
        .contains("bootstrapServers");
    assertThat(refused(with("shema", "x")).problems().get(0).remedy())
        .startsWith("Did you mean 'schema'?");
  }

  @Test
  void valuesThatCannotBeAreErrors() {
    assertThat(refused(with("startingOffsets", "middle")).code())
        .isEqualTo(ErrorCode.INVALID_OPTION);
    assertThat(refused(with("format", "parquet")).problems().get(0).remedy())
        .contains("json, csv, raw, debezium-json, avro");
    assertThat(refused(with("delimiter", ";")).code()).isEqualTo(ErrorCode.INVALID_OPTION);
    assertThat(refused(with("schemaEvolutionMode", "addNewColumns")).problems().get(0).remedy())
        .contains("added to the schema");
    assertThat(refused(with("schema", " ")).code()).isEqualTo(ErrorCode.SCHEMA_NOT_INFERRED);
    assertThat(refused(with("format", "avro")).problems().get(0).remedy())
        .contains("schemaRegistry => 'http://");
    assertThat(refused(with("schemaRegistry", "http://host")).code())
        .isEqualTo(ErrorCode.INVALID_OPTION);
    assertThat(refused(with("format", "raw")).code()).isEqualTo(ErrorCode.INVALID_OPTION);
  }

  @Test
  void debeziumEventsHaveTheColumnsOfTheTableTwice() {
    ReadKafkaOptions options =
        ReadKafkaOptions.of(
            with("format", "DEBEZIUM-JSON", "schema", "id INT NOT NULL, _rescued_data STRING"));
    assertThat(options.format()).isEqualTo(MessageFormat.DEBEZIUM_JSON);
    RowType columns = options.schema().data();
    assertThat(columns.getFieldNames())
        .containsExactly(
            "op",
            "before",
            "after",
            "source",
            "ts_ms",
            "ts_us",
            "ts_ns",
            "transaction",
            "_rescued_data");
    assertThat(columns.getTypeAt(1)).isEqualTo(columns.getTypeAt(2));
    assertThat(columns.getTypeAt(1).getChildren())
        .singleElement()
        .satisfies(type -> assertThat(type.isNullable()).isTrue())
        .satisfies(type -> assertThat(type.is(LogicalTypeRoot.INTEGER)).isTrue());
  }
}
