package io.sluice.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.SluiceException;
import io.sluice.files.FileEntry;
import io.sluice.files.FileSchema;
import io.sluice.kafka.TopicOffsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FlowPositionTest {

  private static final FileSchema SCHEMA = FileSchema.declared("id INT, name STRING");
  private static final FileSchema WIDER = FileSchema.declared("id INT, name STRING, town STRING");
  private static final FileEntry A = new FileEntry("/in/a.json", 10, 1_000);
  private static final FileEntry B = new FileEntry("/in/b.json", 20, 2_000);

  @Test
  void a_position_comes_back_from_the_ledger_as_it_was() {
    FlowPosition position =
        FlowPosition.START
            .withSnapshot("table:default.t", 77)
            .withFiles("files:/in", List.of(B, A), SCHEMA);
    FlowPosition back = FlowPosition.fromJson(position.toJson(), List.of());
    assertThat(back.toJson()).isEqualTo(position.toJson());
    assertThat(back.snapshot("table:default.t")).hasValue(77);
    assertThat(back.files("files:/in").files().entries()).containsExactlyInAnyOrder(A, B);
    assertThat(back.files("files:/in").schema()).contains(SCHEMA);
    assertThat(back.sources()).containsExactlyInAnyOrder("table:default.t", "files:/in");
  }

  @Test
  void offsets_of_topics_come_back_and_are_told() {
    TopicOffsets offsets = TopicOffsets.of("id", Map.of(10, 3L, 2, 17L));
    FlowPosition position =
        FlowPosition.START
            .withTopic("kafka:orders", offsets)
            .withTopic("kafka:old", TopicOffsets.of("", Map.of()))
            .withFiles("files:/in", List.of(A), SCHEMA);
    FlowPosition back =
        FlowPosition.fromJson(
            position.spilled().toJson(), position.spilled().rowsSince(FlowPosition.START));
    assertThat(position.toJson())
        .contains("\"kafka:orders\":{\"topicId\":\"id\",\"offsets\":{\"2\":17,\"10\":3}}");
    assertThat(back.topic("kafka:orders")).contains(offsets);
    assertThat(back.topic("kafka:other")).isEmpty();
    assertThat(back.sources()).contains("kafka:orders", "kafka:old");
    assertThat(back.describe())
        .contains("kafka:orders: next offsets 2@17, 10@3", "files:/in: 1 file");
    assertThatThrownBy(
            () -> FlowPosition.fromJson("{\"kafka:orders\":{\"offsets\":{\"a\":1}}}", List.of()))
        .isInstanceOfSatisfying(
            SluiceException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.LEDGER_CORRUPT));
  }

  @Test
  void a_spilled_position_is_read_back_from_the_companion_rows_it_asked_for() {
    FlowPosition position =
        FlowPosition.START.withFiles("files:/in", List.of(A, B), SCHEMA).spilled();
    List<String> rows = position.rowsSince(FlowPosition.START);
    assertThat(position.toJson()).doesNotContain("a.json");
    assertThat(rows).hasSize(3);
    FlowPosition back = FlowPosition.fromJson(position.toJson(), rows);
    assertThat(back.files("files:/in").files().entries()).containsExactlyInAnyOrder(A, B);
    assertThat(back.files("files:/in").schema()).contains(SCHEMA);
    assertThat(back.rowsSince(position)).isEmpty();
  }

  @Test
  void only_what_is_new_goes_into_the_companion_later() {
    FlowPosition before = FlowPosition.START.withFiles("files:/in", List.of(A), SCHEMA).spilled();
    FlowPosition after = before.withFiles("files:/in", List.of(B), WIDER);
    List<String> fresh = after.rowsSince(before);
    assertThat(fresh).hasSize(2).anyMatch(row -> row.contains("b.json"));
    List<String> all = new ArrayList<>(before.rowsSince(FlowPosition.START));
    all.addAll(fresh);
    FlowPosition back = FlowPosition.fromJson(after.toJson(), all);
    assertThat(back.files("files:/in").files().entries()).containsExactlyInAnyOrder(A, B);
    assertThat(back.files("files:/in").schema()).contains(WIDER);
  }

  @Test
  void a_position_that_moves_into_the_companion_takes_all_files_along() {
    FlowPosition before = FlowPosition.START.withFiles("files:/in", List.of(A), SCHEMA);
    FlowPosition after = before.withFiles("files:/in", List.of(B), SCHEMA).spilled();
    assertThat(after.rowsSince(before))
        .anyMatch(row -> row.contains("a.json"))
        .anyMatch(row -> row.contains("b.json"));
  }

  @Test
  void anything_else_in_the_ledger_is_an_error() {
    assertThatThrownBy(() -> FlowPosition.fromJson("{\"files:/in\": 7}", List.of()))
        .isInstanceOf(SluiceException.class)
        .extracting(e -> ((SluiceException) e).code())
        .isEqualTo(ErrorCode.LEDGER_CORRUPT);
    assertThatThrownBy(() -> FlowPosition.fromJson("no json", List.of()))
        .isInstanceOf(SluiceException.class);
  }
}
