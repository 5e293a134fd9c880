package io.sluice.files;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** What the values of a topic's messages are. */
public enum MessageFormat {
  /** One JSON object. */
  JSON,
  /** One record of delimited text, quoted as in RFC 4180, without a header. */
  CSV,
  /** Bytes that stay as they are. */
  RAW,
  /** An event of Debezium in JSON, with or without its schema around it. */
  DEBEZIUM_JSON,
  /** Avro with the id of its schema in front, as Confluent's serializers write it. */
  AVRO,
  /** An event of Debezium in that form of Avro. */
  DEBEZIUM_AVRO;

  /** Whether its schemas are in a registry. */
  public boolean needsRegistry() {
    return this == AVRO || this == DEBEZIUM_AVRO;
  }

  /** Whether a value is an event of Debezium. */
  public boolean isDebezium() {
    return this == DEBEZIUM_JSON || this == DEBEZIUM_AVRO;
  }

  /** The name in SQL. */
  public String optionValue() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The format with a name in SQL, case ignored. */
  public static Optional<MessageFormat> of(String name) {
    return Arrays.stream(values())
        .filter(format -> format.optionValue().equalsIgnoreCase(name))
        .findFirst();
  }

  /** All names in SQL, for messages. */
  public static String names() {
    return Arrays.stream(values())
        .map(MessageFormat::optionValue)
        .collect(Collectors.joining(", "));
  }
}
