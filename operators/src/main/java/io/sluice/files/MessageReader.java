package io.sluice.files;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.types.logical.RowType;

/**
 * Reads messages into rows, one row or one malformed record each, by the rules that files follow
 * (semantics 17.4). Not thread-safe.
 */
public final class MessageReader {

  private static final int SMALLEST_BUFFER = 16;

  private final MessageFormat format;
  private final RowAssembler rows;
  private final JsonRowReader json;
  private final CsvReader csv;
  private final AvroMessages avro;
  private final char delimiter;

  /**
   * A reader of values.
   *
   * @param format any but RAW
   * @param mode what happens to fields without a column
   * @param delimiter CSV: one ASCII character between two fields
   * @param registry address of the schema registry, for formats that need one
   * @throws io.sluice.errors.SluiceException INVALID_OPTION where the format cannot hold a column's
   *     type; NEW_COLUMNS while reading in mode failOnNewColumns
   */
  public MessageReader(
      MessageFormat format,
      MessageLayout layout,
      SchemaEvolutionMode mode,
      char delimiter,
      String registry) {
    this.format = format;
    this.rows = new RowAssembler(layout, mode);
    this.delimiter = delimiter;
    this.csv = format == MessageFormat.CSV ? new CsvReader(rows) : null;
    this.avro =
        format.needsRegistry() ? new AvroMessages(new SchemaRegistry(registry), rows) : null;
    this.json = csv == null && avro == null ? new JsonRowReader(rows.columns()) : null;
  }

  /** The type of the rows. */
  public RowType producedType() {
    return rows.producedType();
  }

  /**
   * Reads one message.
   *
   * @param value its bytes, not null
   * @param origin topic and partition
   * @param partition number of the partition
   * @param metadata the {@code _metadata} of the row; null where the layout has none
   * @return whether the message was one; a Debezium event whose payload is null is a tombstone, of
   *     which nothing is told
   */
  public boolean read(
      byte[] value,
      String origin,
      int partition,
      long offset,
      GenericRowData metadata,
      RowSink sink) {
    rows.startMessage(origin, partition, metadata, sink);
    try {
      return switch (format) {
        case JSON -> readJson(value, offset, false);
        case DEBEZIUM_JSON -> readJson(value, offset, true);
        case CSV -> readCsv(value, offset);
        case AVRO, DEBEZIUM_AVRO -> {
          avro.read(value, offset);
          yield true;
        }
        case RAW -> throw new IllegalStateException("raw messages need no reader");
      };
    } catch (JsonProcessingException e) {
      rows.malformed("no valid JSON: " + JsonLinesReader.reason(e), text(value), offset);
      return true;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private boolean readJson(byte[] value, long offset, boolean envelope) throws IOException {
    GenericRowData row = rows.startRecord();
    try (JsonParser parser = JsonLinesReader.JSON.createParser(value)) {
      JsonToken first = parser.nextToken();
      boolean wrapped = envelope && first == JsonToken.START_OBJECT && isWrapped(value);
      if (wrapped && !goToPayload(parser)) {
        return false;
      }
      if (parser.currentToken() != JsonToken.START_OBJECT) {
        rows.faults().fail("the message is no JSON object");
      } else {
        json.read(parser, rows.faults(), row);
        requireEnd(parser, wrapped);
      }
    }
    rows.finish(row, offset, () -> text(value));
    return true;
  }

  /** Whether Debezium has put its schema around the event, which has no such fields itself. */
  private static boolean isWrapped(byte[] value) throws IOException {
    try (JsonParser parser = JsonLinesReader.JSON.createParser(value)) {
      parser.nextToken();
      String name = parser.nextFieldName();
      return "schema".equals(name) || "payload".equals(name);
    }
  }

  /** Goes to the value of the payload; false where it is null. */
  private static boolean goToPayload(JsonParser parser) throws IOException {
    for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
      JsonToken token = parser.nextToken();
      if (name.equals("payload")) {
        return token != JsonToken.VALUE_NULL;
      }
      parser.skipChildren();
    }
    return true;
  }

  private void requireEnd(JsonParser parser, boolean wrapped) throws IOException {
    while (wrapped && parser.nextToken() == JsonToken.FIELD_NAME) {
      parser.nextToken();
      parser.skipChildren();
    }
    if (parser.nextToken() != null) {
      rows.faults().fail("there is text behind the JSON object");
    }
  }

  private boolean readCsv(byte[] value, long offset) throws IOException {
    int buffer = Math.max(SMALLEST_BUFFER, value.length);
    try (CsvRecords records = new CsvRecords(new ByteArrayInputStream(value), delimiter, buffer)) {
      csv.readMessage(records, rows, offset, () -> text(value));
    }
    return true;
  }

  private static String text(byte[] value) {
    // One character more than fits, so that the cut is made in one place.
    int length = Math.min(value.length, 4 * FileRowReader.MAX_RAW_CHARACTERS + 4);
    return new String(value, 0, length, StandardCharsets.UTF_8);
  }
}
