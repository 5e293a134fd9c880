package io.sluice.files;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.apache.iceberg.shaded.org.apache.avro.NameValidator;
import org.apache.iceberg.shaded.org.apache.avro.Schema;

/**
 * Avro says {@code timestamp-*} for instants and {@code local-timestamp-*} for local times. Iceberg
 * says {@code timestamp-*} for both and tells them apart by a property of its own.
 */
final class AvroTimestamps {

  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final String LOGICAL_TYPE = "logicalType";
  private static final String ADJUST_TO_UTC = "adjust-to-utc";
  private static final String LOCAL = "local-";

  private AvroTimestamps() {}

  /** The same schema in Iceberg's spelling; one that is in it already comes back unchanged. */
  static Schema asIceberg(Schema schema) {
    try {
      JsonNode json = MAPPER.readTree(schema.toString());
      rewrite(json);
      return new Schema.Parser(NameValidator.NO_VALIDATION)
          .setValidateDefaults(false)
          .parse(json.toString());
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("Avro writes its schemas as JSON", e);
    }
  }

  private static void rewrite(JsonNode node) {
    if (node instanceof ObjectNode type) {
      String logicalType = type.path(LOGICAL_TYPE).asText();
      if (logicalType.startsWith(LOCAL + "timestamp-")) {
        type.put(LOGICAL_TYPE, logicalType.substring(LOCAL.length())).put(ADJUST_TO_UTC, false);
      } else if (logicalType.startsWith("timestamp-") && !type.has(ADJUST_TO_UTC)) {
        type.put(ADJUST_TO_UTC, true);
      }
    }
    node.forEach(AvroTimestamps::rewrite);
  }
}
