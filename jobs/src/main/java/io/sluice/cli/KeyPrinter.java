package io.sluice.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.explain.KeyExplanation;
import io.sluice.explain.KeyExplanation.KeyEvent;
import io.sluice.explain.KeyExplanation.KeyRow;
import io.sluice.history.Kind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Prints the explanation of a key. */
final class KeyPrinter {

  private final Console console;

  KeyPrinter(Console console) {
    this.console = console;
  }

  void text(KeyExplanation key) {
    console
        .out()
        .println(
            "key "
                + columns(key.key())
                + " of "
                + key.table()
                + ", "
                + key.storage()
                + ", as of snapshot "
                + key.snapshot()
                + " of "
                + key.committedAt());
    console.out().println();
    rows(key.rows());
    console.out().println();
    events(key.events());
    key.problem().ifPresent(problem -> console.err().println("notice: " + problem));
    console.out().flush();
    console.err().flush();
  }

  private void rows(List<KeyRow> rows) {
    if (rows.isEmpty()) {
      console.out().println("no visible row");
      return;
    }
    List<String> header = new ArrayList<>(rows.get(0).columns().keySet());
    header.add("written at");
    header.add("place");
    TextTable table = new TextTable(header.toArray(String[]::new));
    for (KeyRow row : rows) {
      List<Object> cells = new ArrayList<>();
      row.columns().values().forEach(value -> cells.add(Values.toText(value)));
      cells.add(row.writtenAt().map(Instant::toString).orElse("(expired)"));
      cells.add(row.file().substring(row.file().lastIndexOf('/') + 1) + ":" + row.position());
      table.row(cells.toArray());
    }
    console.out().print(table);
  }

  private void events(List<KeyEvent> events) {
    if (events.isEmpty()) {
      console.out().println("no event is remembered");
      return;
    }
    TextTable table =
        new TextTable(
            "sequence", "kind", "fate", "kept in", "flow", "source", "applied at", "values");
    for (KeyEvent event : events) {
      table.row(
          event.systemSequence() == null
              ? Values.toText(event.sequence())
              : Values.toText(event.sequence())
                  + " learned at "
                  + Values.toText(event.systemSequence()),
          name(event.kind()),
          fate(event),
          event.inCompanion() ? "companion" : "rows",
          event.flow().orElse("-"),
          source(event),
          event.appliedAt().map(Instant::toString).orElse("-"),
          event.kind() == Kind.UPSERT ? columns(event.values()) : "-");
    }
    console.out().print(table);
  }

  private static String source(KeyEvent event) {
    return event.source().map(source -> source + ":" + event.offset().orElse(0L)).orElse("-");
  }

  private static String name(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  private static String fate(KeyEvent event) {
    String row = event.rowStart() == null ? "" : " from " + Values.toText(event.rowStart());
    String fate =
        switch (event.fate()) {
          case VISIBLE_ROW -> "visible row";
          case ABSORBED ->
              "absorbed by the row" + row + (event.givesValues() ? ", gives its values" : "");
          case ROW_END -> "ends the row" + row;
          case TOMBSTONE -> "tombstone";
          case TIE_LOST -> "tie lost";
          case OVERRULED -> "overruled by changed rows";
        };
    return event.wonTie() ? fate + ", won a tie" : fate;
  }

  private static String columns(Map<String, Object> values) {
    return values.entrySet().stream()
        .map(entry -> entry.getKey() + "=" + Values.toText(entry.getValue()))
        .collect(Collectors.joining(", "));
  }

  void json(KeyExplanation key) {
    try (JsonGenerator json = new ObjectMapper().createGenerator(console.out())) {
      json.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
      json.useDefaultPrettyPrinter();
      json.writeStartObject();
      json.writeStringField("table", key.table());
      json.writeStringField("storage", key.storage());
      write(json, "key", key.key());
      json.writeNumberField("snapshot", key.snapshot());
      json.writeStringField("committedAt", key.committedAt().toString());
      write(json, "problem", key.problem());
      json.writeArrayFieldStart("rows");
      for (KeyRow row : key.rows()) {
        write(json, row);
      }
      json.writeEndArray();
      json.writeArrayFieldStart("events");
      for (KeyEvent event : key.events()) {
        write(json, event);
      }
      json.writeEndArray();
      json.writeObjectFieldStart("read");
      json.writeNumberField("parts", key.reading().parts());
      json.writeNumberField("skippedParts", key.reading().skippedParts());
      json.writeNumberField("bytes", key.reading().bytes());
      json.writeEndObject();
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    console.out().println();
    console.out().flush();
  }

  private static void write(JsonGenerator json, KeyRow row) throws IOException {
    json.writeStartObject();
    write(json, "columns", row.columns());
    json.writeStringField("file", row.file());
    json.writeNumberField("position", row.position());
    write(json, "writtenBy", row.writtenBy());
    write(json, "writtenAt", row.writtenAt());
    json.writeEndObject();
  }

  private static void write(JsonGenerator json, KeyEvent event) throws IOException {
    json.writeStartObject();
    json.writeFieldName("sequence");
    Values.write(json, event.sequence());
    if (event.systemSequence() != null) {
      json.writeFieldName("systemSequence");
      Values.write(json, event.systemSequence());
    }
    json.writeStringField("kind", name(event.kind()));
    json.writeStringField("fate", name(event.fate()));
    if (event.rowStart() != null) {
      json.writeFieldName("row");
      Values.write(json, event.rowStart());
    }
    json.writeBooleanField("givesValues", event.givesValues());
    json.writeBooleanField("wonTie", event.wonTie());
    json.writeStringField("keptIn", event.inCompanion() ? "companion" : "rows");
    write(json, "flow", event.flow());
    write(json, "source", event.source());
    write(json, "offset", event.offset());
    write(json, "appliedAt", event.appliedAt());
    write(json, "update", event.update());
    if (event.kind() == Kind.UPSERT) {
      write(json, "values", event.values());
    }
    json.writeEndObject();
  }

  private static void write(JsonGenerator json, String name, Optional<?> value) throws IOException {
    if (value.isPresent()) {
      json.writeFieldName(name);
      Values.write(json, value.get());
    }
  }

  private static void write(JsonGenerator json, String name, Map<String, Object> values)
      throws IOException {
    json.writeObjectFieldStart(name);
    for (Map.Entry<String, Object> value : values.entrySet()) {
      json.writeFieldName(value.getKey());
      Values.write(json, value.getValue());
    }
    json.writeEndObject();
  }
}
