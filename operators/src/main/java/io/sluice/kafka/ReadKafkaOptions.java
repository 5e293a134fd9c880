package io.sluice.kafka;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.SluiceException;
import io.sluice.files.FileSchema;
import io.sluice.files.MessageFormat;
import io.sluice.files.OptionNames;
import io.sluice.files.SchemaEvolutionMode;
import java.io.Serializable;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.VarBinaryType;

/**
 * The arguments of one read_kafka call.
 *
 * @param topic what is read
 * @param format of the values
 * @param schemaText the declared columns; empty for RAW, which has its own
 * @param mode what happens to fields without a column
 * @param delimiter CSV: one ASCII character between two fields
 * @param registry address of the schema registry; empty where the format needs none
 */
public record ReadKafkaOptions(
    KafkaTopic topic,
    MessageFormat format,
    String schemaText,
    SchemaEvolutionMode mode,
    char delimiter,
    String registry)
    implements Serializable {

  private static final String KAFKA = "kafka.";

  /** The names of the options, besides Kafka's own properties. */
  public static final List<String> NAMES =
      List.of(
          "bootstrapServers",
          "topic",
          "format",
          "schema",
          "startingOffsets",
          "schemaEvolutionMode",
          "delimiter",
          "schemaRegistry");

  /** What other products call them. */
  private static final Map<String, String> ELSEWHERE =
      Map.of(
          "subscribe", "topic => '..'",
          "topics", "topic => '..', one read for each topic",
          "subscribepattern", "topic => '..', one read for each topic",
          "assign", "topic => '..'; all its partitions are read",
          "kafka.bootstrap.servers", "bootstrapServers => '..'",
          "failondataloss", "SET 'sluice.kafka.on-lost-offsets' = 'EARLIEST'",
          "valueformat", "format => '..'",
          "schemaregistryaddress", "schemaRegistry => '..'",
          "groupid", "'kafka.group.id' => '..'; positions are in the ledger, so none is needed");

  public ReadKafkaOptions {
    Objects.requireNonNull(topic, "topic");
    Objects.requireNonNull(format, "format");
    Objects.requireNonNull(schemaText, "schemaText");
    Objects.requireNonNull(mode, "mode");
    Objects.requireNonNull(registry, "registry");
  }

  /**
   * Reads the arguments of a call.
   *
   * @param options by name, in any case
   * @throws SluiceException UNKNOWN_OPTION with the nearest name, INVALID_OPTION, or
   *     SCHEMA_NOT_INFERRED where a format needs a schema and none is given
   */
  public static ReadKafkaOptions of(Map<String, String> options) {
    Map<String, String> values = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    Map<String, String> properties = new TreeMap<>();
    options.forEach(
        (name, value) -> {
          if (isProperty(name)) {
            properties.put(name.substring(KAFKA.length()), value);
          } else if (NAMES.stream().noneMatch(name::equalsIgnoreCase)) {
            throw unknown(name);
          } else {
            values.put(name, value);
          }
        });
    MessageFormat format = format(values);
    KafkaTopic topic =
        new KafkaTopic(
            topicName(values),
            required(values, "bootstrapServers", "host:9092"),
            start(values.getOrDefault("startingOffsets", "earliest")),
            properties);
    String schema = values.getOrDefault("schema", "");
    boolean raw = format == MessageFormat.RAW;
    if (raw) {
      refuse(values, "schema", "format => 'raw' has the columns key and value, both BYTES");
      refuse(values, "schemaEvolutionMode", "format => 'raw' has no fields");
    } else if (schema.isBlank()) {
      throw new SluiceException(
          ErrorCode.SCHEMA_NOT_INFERRED,
          "read_kafka of topic '" + topic.name() + "' has no schema, and none is inferred",
          "Declare the columns: schema => 'id BIGINT, name STRING, ..'"
              + (format.isDebezium() ? " (those of the table)" : "")
              + "; to look at the messages, read them with format => 'raw'");
    }
    if (format != MessageFormat.CSV) {
      refuse(values, "delimiter", "only format => 'csv' knows it");
    }
    ReadKafkaOptions read =
        new ReadKafkaOptions(
            topic,
            format,
            schema,
            mode(values.getOrDefault("schemaEvolutionMode", "none")),
            delimiter(values.getOrDefault("delimiter", ",")),
            registry(values, format));
    read.schema(); // refuses a wrong one
    return read;
  }

  /** The topic of a call whose other arguments may be wrong; empty where it gives none. */
  public static Optional<String> topicOf(Map<String, String> options) {
    return options.entrySet().stream()
        .filter(option -> option.getKey().equalsIgnoreCase("topic"))
        .map(Map.Entry::getValue)
        .findFirst();
  }

  /**
   * The columns, without {@code _metadata}.
   *
   * @throws SluiceException INVALID_OPTION for a wrong declaration
   */
  public FileSchema schema() {
    if (format == MessageFormat.RAW) {
      VarBinaryType bytes = new VarBinaryType(VarBinaryType.MAX_LENGTH);
      return new FileSchema(
          new RowType(
              false,
              List.of(new RowType.RowField("key", bytes), new RowType.RowField("value", bytes))),
          List.of(),
          false);
    }
    FileSchema declared = FileSchema.declared(schemaText);
    FileSchema schema = format.isDebezium() ? DebeziumEnvelope.of(declared) : declared;
    return mode == SchemaEvolutionMode.RESCUE ? schema.withRescuedData() : schema;
  }

  private static boolean isProperty(String name) {
    return name.toLowerCase(Locale.ROOT).startsWith(KAFKA)
        && !ELSEWHERE.containsKey(name.toLowerCase(Locale.ROOT));
  }

  private static SluiceException unknown(String name) {
    String elsewhere = ELSEWHERE.get(name.toLowerCase(Locale.ROOT));
    return new SluiceException(
        ErrorCode.UNKNOWN_OPTION,
        "read_kafka has no option '" + name + "'",
        elsewhere != null
            ? "Write " + elsewhere
            : OptionNames.didYouMean(name, NAMES)
                + "The options are "
                + String.join(", ", NAMES)
                + ", and properties of Kafka's clients such as 'kafka.security.protocol'");
  }

  private static String topicName(Map<String, String> values) {
    String topic = required(values, "topic", "orders");
    if (!topic.matches("[a-zA-Z0-9._-]{1,249}")) {
      throw invalid(
          "topic",
          topic,
          "A topic's name has letters, digits, '.', '_' and '-'; read each topic by a read_kafka of"
              + " its own");
    }
    return topic;
  }

  private static String required(Map<String, String> values, String name, String example) {
    String value = values.getOrDefault(name, "");
    if (value.isBlank()) {
      throw new SluiceException(
          ErrorCode.INVALID_OPTION,
          "read_kafka has no " + name,
          "Write " + name + " => '" + example + "'");
    }
    return value;
  }

  private static MessageFormat format(Map<String, String> values) {
    String value = required(values, "format", "json");
    return MessageFormat.of(value)
        .orElseThrow(() -> invalid("format", value, "It must be " + MessageFormat.names()));
  }

  private static StartingOffsets start(String value) {
    return switch (value.toLowerCase(Locale.ROOT)) {
      case "earliest" -> StartingOffsets.EARLIEST;
      case "latest" -> StartingOffsets.LATEST;
      default ->
          throw invalid(
              "startingOffsets",
              value,
              "It must be earliest or latest; it says where a flow begins that has read nothing");
    };
  }

  private static SchemaEvolutionMode mode(String value) {
    for (SchemaEvolutionMode mode : SchemaEvolutionMode.values()) {
      boolean possible = mode != SchemaEvolutionMode.ADD_NEW_COLUMNS;
      if (possible && mode.optionValue().equalsIgnoreCase(value)) {
        return mode;
      }
    }
    throw invalid(
        "schemaEvolutionMode",
        value,
        "It must be none, rescue or failOnNewColumns; a new column is added to the schema");
  }

  private static char delimiter(String value) {
    String plain = value.equals("\\t") ? "\t" : value;
    if (plain.length() != 1 || plain.charAt(0) > 127 || "\"\r\n".contains(plain)) {
      throw invalid("delimiter", value, "It must be one ASCII character, no quote or line break");
    }
    return plain.charAt(0);
  }

  private static String registry(Map<String, String> values, MessageFormat format) {
    if (!format.needsRegistry()) {
      refuse(values, "schemaRegistry", "only the formats avro and debezium-avro know it");
      return "";
    }
    String url = required(values, "schemaRegistry", "http://localhost:8081");
    if (!url.matches("https?://[^/]+.*")) {
      throw invalid("schemaRegistry", url, "It must be a URL such as http://localhost:8081");
    }
    return url;
  }

  private static void refuse(Map<String, String> values, String name, String why) {
    if (values.containsKey(name)) {
      throw invalid(
          name, values.get(name), Character.toUpperCase(why.charAt(0)) + why.substring(1));
    }
  }

  private static SluiceException invalid(String name, String value, String remedy) {
    return new SluiceException(
        ErrorCode.INVALID_OPTION,
        "read_kafka option '" + name + "' has the value '" + value + "'",
        remedy);
  }
}
