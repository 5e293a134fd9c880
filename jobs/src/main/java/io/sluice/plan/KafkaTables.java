package io.sluice.plan;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.Problem;
import io.sluice.errors.SluiceException;
import io.sluice.kafka.KafkaTopic;
import io.sluice.kafka.StartingOffsets;
import io.sluice.pipeline.Pipeline;
import io.sluice.sql.PassThrough;
import io.sluice.sql.QualifiedName;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.flink.connector.kafka.source.KafkaSourceOptions;
import org.apache.flink.util.TimeUtils;

/** The tables of a pipeline file that Flink's Kafka connector reads. */
final class KafkaTables {

  private static final String PROPERTIES = "properties.";
  private static final String DISCOVERY = "scan.topic-partition-discovery.interval";

  /** Formats whose messages say what is inserted, updated and deleted. */
  private static final Set<String> CHANGELOGS =
      Set.of("debezium-json", "debezium-avro-confluent", "canal-json", "maxwell-json", "ogg-json");

  private KafkaTables() {}

  /**
   * The options of a table.
   *
   * @param name as a query writes it
   * @return empty if the file creates no such table with that connector
   */
  static Optional<Map<String, String>> options(Pipeline pipeline, QualifiedName name) {
    Optional<Map<String, String>> found = Optional.empty();
    for (PassThrough statement : pipeline.setup()) {
      boolean same =
          statement.kind() == PassThrough.Kind.CREATE_TABLE
              && statement.name().filter(each -> same(each.parts(), name.parts())).isPresent();
      if (same) {
        found =
            Optional.of(statement.options())
                .filter(options -> "kafka".equals(options.get("connector")));
      }
    }
    return found;
  }

  /** Whether two names end alike as far as both go. */
  private static boolean same(List<String> left, List<String> right) {
    int length = Math.min(left.size(), right.size());
    return left.subList(left.size() - length, left.size())
        .equals(right.subList(right.size() - length, right.size()));
  }

  /** The topic, whatever else may be wrong with the options; empty where they give none. */
  static Optional<String> topicName(Map<String, String> options) {
    return Optional.ofNullable(options.get("topic"));
  }

  /**
   * The topic of a table.
   *
   * @throws SluiceException INVALID_OPTION or NOT_SUPPORTED_YET where an option does not go with
   *     the ledger's positions
   */
  static KafkaTopic topic(QualifiedName table, Map<String, String> options) {
    String topic = options.getOrDefault("topic", "");
    if (topic.isEmpty() || topic.contains(";")) {
      throw problem(
          ErrorCode.NOT_SUPPORTED_YET,
          "table '" + table + "' reads " + (topic.isEmpty() ? "no single topic" : "several topics"),
          "Give it one 'topic'; declare a table for each topic");
    }
    for (String option : options.keySet()) {
      boolean startsElsewhere =
          option.startsWith("scan.startup.") && !option.equals("scan.startup.mode");
      if (startsElsewhere || option.startsWith("scan.bounded.")) {
        throw refused(table, option, options.get(option), "leave it out");
      }
    }
    Map<String, String> properties = new HashMap<>();
    options.forEach(
        (key, value) -> {
          if (key.startsWith(PROPERTIES)) {
            properties.put(key.substring(PROPERTIES.length()), value);
          }
        });
    String discovery = options.get(DISCOVERY);
    if (discovery != null) {
      properties.put(
          KafkaSourceOptions.PARTITION_DISCOVERY_INTERVAL_MS.key(), "" + millis(table, discovery));
    }
    String servers = properties.remove("bootstrap.servers");
    if (servers == null) {
      throw problem(
          ErrorCode.INVALID_OPTION,
          "table '" + table + "' has no 'properties.bootstrap.servers'",
          "Write 'properties.bootstrap.servers' = 'host:9092'");
    }
    return new KafkaTopic(topic, servers, start(table, options), properties);
  }

  private static long millis(QualifiedName table, String interval) {
    try {
      return TimeUtils.parseDuration(interval).toMillis();
    } catch (IllegalArgumentException e) {
      throw problem(
          ErrorCode.INVALID_OPTION,
          "table '" + table + "' has '" + DISCOVERY + "' = '" + interval + "'",
          "Give it a duration such as '5 min'");
    }
  }

  private static StartingOffsets start(QualifiedName table, Map<String, String> options) {
    String mode = options.getOrDefault("scan.startup.mode", "earliest-offset");
    return switch (mode) {
      case "earliest-offset" -> StartingOffsets.EARLIEST;
      case "latest-offset" -> StartingOffsets.LATEST;
      default ->
          throw refused(
              table, "scan.startup.mode", mode, "use 'earliest-offset' or 'latest-offset'");
    };
  }

  private static SluiceException refused(
      QualifiedName table, String option, String value, String remedy) {
    return problem(
        ErrorCode.INVALID_OPTION,
        "table '" + table + "' has '" + option + "' = '" + value + "'",
        "A flow begins where the ledger of its target says: " + remedy);
  }

  /** Whether the messages tell inserts, updates and deletes apart. */
  static boolean isChangelog(Map<String, String> options) {
    return CHANGELOGS.contains(options.getOrDefault("format", options.get("value.format")));
  }

  private static SluiceException problem(ErrorCode code, String message, String remedy) {
    return new SluiceException(Problem.of(code, message, remedy));
  }
}
