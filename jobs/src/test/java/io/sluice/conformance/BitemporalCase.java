package io.sluice.conformance;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * One key of a bitemporal table: its events by update, and its rows after each update.
 *
 * @param id the key
 * @param updates events that arrive before each update
 * @param rows rows after each update as {@code val start end systemStart systemEnd}
 */
record BitemporalCase(String id, List<List<Event>> updates, List<List<String>> rows) {

  /**
   * An event.
   *
   * @param val null for a delete
   */
  record Event(String val, long business, long system) {

    String json(String key) {
      return "{'id':'%s','val':%s,'op':'%s','bt':%d,'st':%d}"
          .formatted(
              key,
              val == null ? "null" : "'" + val + "'",
              val == null ? "D" : "U",
              business,
              system);
    }
  }

  static List<BitemporalCase> load(String resource) {
    List<BitemporalCase> cases = new ArrayList<>();
    List<Event> arriving = new ArrayList<>();
    for (String line : text(resource).lines().map(String::strip).toList()) {
      String[] words = line.split("\\s+");
      BitemporalCase last = cases.isEmpty() ? null : cases.get(cases.size() - 1);
      switch (words[0]) {
        case "case" ->
            cases.add(new BitemporalCase(words[1], new ArrayList<>(), new ArrayList<>()));
        case "u" -> arriving.add(event(words[1], words[2], words[3]));
        case "d" -> arriving.add(event(null, words[1], words[2]));
        case "rows" -> {
          last.updates().add(List.copyOf(arriving));
          last.rows().add(new ArrayList<>());
          arriving.clear();
        }
        case "=" -> last.rows().get(last.rows().size() - 1).add(line.substring(1).strip());
        default -> {
          if (!line.isEmpty() && !line.startsWith("#")) {
            throw new IllegalArgumentException(line);
          }
        }
      }
    }
    return cases;
  }

  private static Event event(String val, String business, String system) {
    return new Event(val, Long.parseLong(business), Long.parseLong(system));
  }

  private static String text(String resource) {
    try (InputStream in = BitemporalCase.class.getResourceAsStream(resource)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  List<Event> events() {
    return updates.stream().flatMap(List::stream).toList();
  }

  List<String> lastRows() {
    return rows.get(rows.size() - 1);
  }
}
