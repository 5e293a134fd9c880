package io.sluice.plan;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.kafka.TopicOffsets;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Offsets of topics in the JSON of a {@link FlowPosition}. */
final class TopicPositions {

  private static final String TOPIC_ID = "topicId";
  private static final String OFFSETS = "offsets";

  private TopicPositions() {}

  static boolean is(JsonNode value) {
    return value.has(OFFSETS);
  }

  static void write(TopicOffsets offsets, ObjectNode into) {
    if (!offsets.topicId().isEmpty()) {
      into.put(TOPIC_ID, offsets.topicId());
    }
    ObjectNode list = into.putObject(OFFSETS);
    offsets.next().forEach((partition, next) -> list.put(Integer.toString(partition), next));
  }

  /**
   * Reads what {@link #write} wrote.
   *
   * @throws IllegalArgumentException if it is something else
   */
  static TopicOffsets read(JsonNode value) {
    SortedMap<Integer, Long> next = new TreeMap<>();
    for (Map.Entry<String, JsonNode> entry : value.required(OFFSETS).properties()) {
      next.put(Integer.valueOf(entry.getKey()), FlowPosition.number(entry.getValue()));
    }
    return new TopicOffsets(value.path(TOPIC_ID).asText(), next);
  }

  /** One line for people: {@code kafka:orders: next offsets 0@17, 1@3}. */
  static String describe(String source, TopicOffsets offsets) {
    return source
        + offsets.next().entrySet().stream()
            .map(entry -> entry.getKey() + "@" + entry.getValue())
            .collect(Collectors.joining(", ", ": next offsets ", ""));
  }
}
