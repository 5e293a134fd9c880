package io.sluice.conformance;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reads cases from the text form that {@code conformance/auto-cdc.txt} explains. */
final class CaseText {

  private final List<ConformanceCase> cases = new ArrayList<>();
  private String id;
  private String store;
  private List<CaseColumn> key;
  private List<CaseColumn> data;
  private List<CaseColumn> order;
  private List<CaseColumn> update;
  private List<List<String>> updates;
  private Map<Integer, List<Map<String, Object>>> expected;
  private List<String> arriving;
  private boolean truncates;

  private CaseText() {}

  static List<ConformanceCase> load(String resource) {
    try (InputStream in = CaseText.class.getResourceAsStream(resource)) {
      return parse(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static List<ConformanceCase> parse(String text) {
    CaseText reader = new CaseText();
    text.lines()
        .map(String::strip)
        .filter(line -> !line.isEmpty() && !line.startsWith("#"))
        .forEach(reader::line);
    reader.finish();
    return reader.cases;
  }

  private void line(String line) {
    String[] words = line.split("\\s+");
    String rest = line.substring(words[0].length()).strip();
    switch (words[0]) {
      case "case" -> begin(words[1]);
      case "store" -> store = rest;
      case "key" -> key = CaseColumn.list(rest);
      case "data" -> data = CaseColumn.list(rest);
      case "order" -> order = CaseColumn.list(rest);
      case "update" -> update = List.of(new CaseColumn(rest, "ARRAY<STRING>"));
      case "for" -> repeat(words[1], rest.substring(words[1].length()).strip());
      case "u" -> upsert(values(words));
      case "d" -> delete(values(words));
      case "t" -> truncate(values(words));
      case "rows" -> {
        updates.add(arriving);
        arriving = new ArrayList<>();
        expected.put(updates.size(), new ArrayList<>());
      }
      case "=" -> expected.get(updates.size()).add(row(values(words)));
      default -> throw new IllegalArgumentException("case " + id + ": " + line);
    }
  }

  private void begin(String name) {
    finish();
    id = name;
    key = CaseColumn.list("id INT");
    data = CaseColumn.list("val STRING");
    order = CaseColumn.list("seq BIGINT");
    update = List.of();
    truncates = false;
    updates = new ArrayList<>();
    expected = new LinkedHashMap<>();
    arriving = new ArrayList<>();
  }

  private void repeat(String range, String line) {
    String[] bounds = range.split("\\.\\.");
    for (int n = Integer.parseInt(bounds[0]); n <= Integer.parseInt(bounds[1]); n++) {
      line(line.replace("{n}", "" + n).replace("{n+1}", "" + (n + 1)));
    }
  }

  private static List<String> values(String[] words) {
    return Arrays.stream(words).skip(1).map(word -> word.equals("~") ? null : word).toList();
  }

  private void upsert(List<String> values) {
    arriving.add(event("U", concat(key, data, update, order), values));
  }

  private void delete(List<String> values) {
    List<String> padded = new ArrayList<>(values);
    data.forEach(column -> padded.add(key.size(), null));
    arriving.add(event("D", concat(key, data, order), padded));
  }

  private void truncate(List<String> values) {
    truncates = true;
    List<String> padded = new ArrayList<>(values);
    concat(key, data).forEach(column -> padded.add(0, null));
    arriving.add(event("T", concat(key, data, order), padded));
  }

  private String event(String op, List<CaseColumn> columns, List<String> values) {
    StringBuilder json = new StringBuilder("{\"op\":\"" + op + "\"");
    requireSize(columns.size(), values);
    for (int i = 0; i < columns.size(); i++) {
      json.append(',').append(columns.get(i).json(values.get(i)));
    }
    return json.append('}').toString();
  }

  private Map<String, Object> row(List<String> values) {
    Map<String, Object> row = new LinkedHashMap<>();
    List<CaseColumn> columns = concat(key, data);
    requireSize(columns.size() + (keepsHistory() ? 2 : 0), values);
    for (int i = 0; i < columns.size(); i++) {
      row.put(columns.get(i).name(), columns.get(i).value(values.get(i)));
    }
    if (keepsHistory()) {
      row.put("__START_AT", bound(values.get(columns.size())));
      row.put("__END_AT", bound(values.get(columns.size() + 1)));
    }
    return row;
  }

  private Object bound(String text) {
    if (text == null || order.size() == 1) {
      return order.get(0).value(text);
    }
    String[] parts = text.split("/");
    List<Object> fields = new ArrayList<>();
    for (int i = 0; i < parts.length; i++) {
      fields.add(order.get(i).value(parts[i]));
    }
    return fields;
  }

  private void requireSize(int size, List<String> values) {
    if (size != values.size()) {
      throw new IllegalArgumentException("case " + id + ": " + size + " values, not " + values);
    }
  }

  private boolean keepsHistory() {
    return store.contains("scd2");
  }

  private void finish() {
    if (id == null) {
      return;
    }
    boolean struct = order.size() > 1;
    boolean snapshots = store.startsWith("snapshot ");
    String stored = store.replaceFirst("^(snapshot )?scd", "STORED AS SCD TYPE ");
    String flow =
        snapshots
            ? snapshotSource() + " KEYS (" + names(key) + ") " + stored
            : changeSource() + " " + changeClauses(struct, stored);
    cases.add(
        new ConformanceCase(id, flow, updates, expected, tableColumns(struct, keepsHistory())));
  }

  private String readFiles() {
    return "read_files('${dir}/%s', format => 'json', schema => '%s')"
        .formatted(ConformanceCase.feedOf(id), schema());
  }

  private String changeSource() {
    return "FROM STREAM " + readFiles();
  }

  private String changeClauses(boolean struct, String stored) {
    return "KEYS (%s) APPLY AS DELETE WHEN op = 'D'%s SEQUENCE BY %s COLUMNS * EXCEPT (op, %s) %s"
        .formatted(
            names(key),
            truncates ? " APPLY AS TRUNCATE WHEN op = 'T'" : "",
            struct ? "STRUCT(" + names(order) + ")" : names(order),
            names(order),
            update.isEmpty() ? stored : stored + " COLUMNS TO UPDATE " + names(update));
  }

  /** Every version in the feed is a snapshot; the next one is the least above the last. */
  private String snapshotSource() {
    String version = order.get(0).name();
    return """
        FROM SNAPSHOT (
          SELECT %1$s FROM %3$s
          WHERE op = 'U' AND %2$s = (SELECT %2$s FROM current_snapshot_version()))
        WITH VERSION (
          SELECT MIN(%2$s) AS %2$s FROM %3$s
          WHERE (SELECT MAX(%2$s) FROM last_snapshot_version()) IS NULL
            OR %2$s > (SELECT %2$s FROM last_snapshot_version())
          HAVING MIN(%2$s) IS NOT NULL)"""
        .formatted(names(concat(key, data)), version, readFiles());
  }

  private static String names(List<CaseColumn> columns) {
    return columns.stream().map(CaseColumn::name).collect(Collectors.joining(", "));
  }

  private String schema() {
    return concat(key, data, update, order).stream()
        .map(CaseColumn::toString)
        .collect(Collectors.joining(", ", "", ", op STRING"));
  }

  private List<String> tableColumns(boolean struct, boolean history) {
    String sequence =
        struct
            ? order.stream()
                .map(column -> column.name() + ": " + column.icebergType())
                .collect(Collectors.joining(", ", "struct(", ")"))
            : order.get(0).icebergType();
    List<String> columns = new ArrayList<>();
    key.forEach(column -> columns.add(column.name() + " " + column.icebergType() + " required"));
    data.forEach(column -> columns.add(column.name() + " " + column.icebergType() + " optional"));
    if (history) {
      columns.add("__START_AT " + sequence + " required");
      columns.add("__END_AT " + sequence + " optional");
    } else {
      columns.add("__SEQUENCE " + sequence + " optional");
    }
    return columns;
  }

  @SafeVarargs
  private static List<CaseColumn> concat(List<CaseColumn>... lists) {
    return Stream.of(lists).flatMap(List::stream).toList();
  }
}
