package io.sluice.plan;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.Problem;
import io.sluice.errors.SluiceException;
import io.sluice.kafka.KafkaTopic;
import io.sluice.kafka.LostOffsets;
import io.sluice.kafka.ReadKafkaOptions;
import io.sluice.pipeline.Flow;
import io.sluice.pipeline.Pipeline;
import io.sluice.pipeline.Settings;
import io.sluice.sql.QualifiedName;
import io.sluice.sql.SourceReference;
import io.sluice.sql.SourceReference.FunctionReference;
import io.sluice.sql.SourceReference.TableReference;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.flink.table.types.logical.RowType;

/**
 * Finds what the topics of a flow are. No broker is asked: what they hold is known when it runs.
 */
final class TopicResolver {

  private static final String READ_KAFKA = "read_kafka";

  private final Pipeline pipeline;
  private final LostOffsets rule;

  TopicResolver(Pipeline pipeline) {
    this.pipeline = pipeline;
    this.rule = LostOffsets.valueOf(pipeline.setting(Settings.ON_LOST_OFFSETS, "FAIL"));
  }

  static boolean isCall(SourceReference reference) {
    return reference instanceof FunctionReference function && function.name().equals(READ_KAFKA);
  }

  /**
   * Resolves a call of read_kafka.
   *
   * @param stream whether it is read incrementally although it does not say so itself
   * @throws SluiceException an error in the arguments; BATCH_SOURCE where it is not read
   *     incrementally
   */
  ResolvedSource call(Flow flow, FunctionReference function, boolean stream) {
    ReadKafkaOptions options = ReadKafkaOptions.of(arguments(function));
    boolean streaming = requireReadable(flow, function.stream() || stream, READ_KAFKA);
    return new ResolvedSource.ReadKafka(
        function, SourceIds.ofTopic(options.topic().name()), streaming, options, rule);
  }

  /**
   * Resolves a table with Flink's Kafka connector.
   *
   * @return empty if it is another one
   */
  Optional<ResolvedSource> table(
      Flow flow, TableReference reference, RowType columns, boolean stream) {
    Optional<Map<String, String>> options = KafkaTables.options(pipeline, reference.name());
    if (options.isEmpty()) {
      return Optional.empty();
    }
    QualifiedName name = reference.name();
    boolean streaming = requireReadable(flow, stream, name.toString());
    KafkaTopic topic = KafkaTables.topic(name, options.get());
    boolean changelog = KafkaTables.isChangelog(options.get());
    if (changelog && flow.cdc().isEmpty()) {
      throw problem(
          ErrorCode.AUTOCDC_INCOMPATIBLE_CLAUSES,
          "flow '" + flow.name() + "' appends the rows of '" + name + "', which has deletes",
          "Write CREATE FLOW .. AS AUTO CDC INTO .., or give the table a format without changes"
              + " such as 'json'");
    }
    return Optional.of(
        new ResolvedSource.KafkaTable(
            reference,
            SourceIds.ofTopic(topic.name()),
            streaming,
            name,
            columns,
            topic,
            changelog,
            rule));
  }

  private static boolean requireReadable(Flow flow, boolean stream, String source) {
    if (flow.snapshot().isPresent()) {
      throw problem(
          ErrorCode.NOT_SUPPORTED_YET,
          "flow '" + flow.name() + "': a snapshot cannot be read from Kafka (" + source + ")",
          "Read the topic by a CREATE FLOW .. AS AUTO CDC INTO ..");
    }
    if (!flow.once() && !stream) {
      throw problem(
          ErrorCode.BATCH_SOURCE,
          "flow '" + flow.name() + "': " + source + " is read incrementally or ONCE only",
          "Write STREAM in front of it");
    }
    return !flow.once();
  }

  /**
   * Refuses one topic name at two clusters, because positions go by the name.
   *
   * @throws SluiceException NOT_SUPPORTED_YET
   */
  static void requireOneCluster(Flow flow, Collection<ResolvedSource> sources) {
    Map<String, KafkaTopic> seen = new HashMap<>();
    for (ResolvedSource source : sources) {
      if (source instanceof ResolvedSource.OfTopic topic) {
        KafkaTopic before = seen.putIfAbsent(source.id(), topic.topic());
        if (before != null && !before.bootstrapServers().equals(topic.topic().bootstrapServers())) {
          throw new SluiceException(
              Problem.at(
                  source.reference().at(),
                  ErrorCode.NOT_SUPPORTED_YET,
                  "flow '"
                      + flow.name()
                      + "' reads topic '"
                      + before.name()
                      + "' at "
                      + before.bootstrapServers()
                      + " and at "
                      + topic.topic().bootstrapServers(),
                  "Read them in two flows"));
        }
      }
    }
  }

  /** The ids of the topics among the sources of a flow, as far as the text alone tells. */
  static Optional<String> idOf(Pipeline pipeline, SourceReference reference) {
    Optional<String> topic = Optional.empty();
    if (isCall(reference)) {
      topic = ReadKafkaOptions.topicOf(arguments((FunctionReference) reference));
    } else if (reference instanceof TableReference table) {
      topic = KafkaTables.options(pipeline, table.name()).flatMap(KafkaTables::topicName);
    }
    return topic.map(SourceIds::ofTopic);
  }

  private static Map<String, String> arguments(FunctionReference function) {
    Map<String, String> options = new LinkedHashMap<>();
    for (SourceReference.Argument argument : function.arguments()) {
      String name =
          argument
              .name()
              .orElseThrow(
                  () ->
                      new SluiceException(
                          Problem.at(
                              argument.value().at(),
                              ErrorCode.SYNTAX,
                              "an option of read_kafka has no name: '"
                                  + argument.value().text()
                                  + "'",
                              "Write name => value, for example topic => 'orders'")));
      options.put(name, argument.value().text());
    }
    return options;
  }

  private static SluiceException problem(ErrorCode code, String message, String remedy) {
    return new SluiceException(Problem.of(code, message, remedy));
  }
}
