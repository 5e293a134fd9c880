package io.sluice.history;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A target of many keys that is fed in the notation of semantics.md: {@code u(key,values,sequence)}
 * and {@code d(key,sequence)}. Between two updates every key goes through its rows and remembered
 * events, as through a table.
 */
final class Target {

  private static final Pattern EVENT = Pattern.compile("([ud])\\(([^)]*)\\)");

  private final StorageType type;
  private final Map<String, History<Row>> keys = new TreeMap<>();
  private final List<Changes<Row>> lastChanges = new ArrayList<>();
  private long offset;

  Target(StorageType type) {
    this.type = type;
  }

  /** A target after updates that are separated by {@code |}. */
  static Target after(StorageType type, String script) {
    Target target = new Target(type);
    for (String update : script.split("\\|")) {
      target.update(update);
    }
    return target;
  }

  Target update(String script) {
    Map<String, List<Event<Row>>> events = new LinkedHashMap<>();
    Matcher matcher = EVENT.matcher(script);
    while (matcher.find()) {
      String[] parts = matcher.group(2).split(",");
      events.computeIfAbsent(parts[0], key -> new ArrayList<>()).add(event(parts));
    }
    lastChanges.clear();
    events.forEach(
        (key, batch) -> {
          History<Row> before =
              keys.containsKey(key)
                  ? TestEvents.roundTrip(type, keys.get(key))
                  : History.empty(type, new RowValues());
          lastChanges.add(before.apply(batch));
          keys.put(key, before);
        });
    return this;
  }

  private Event<Row> event(String[] parts) {
    Origin origin = TestEvents.offset(offset++);
    return parts.length == 2
        ? TestEvents.delete(Long.parseLong(parts[1].trim()), origin)
        : TestEvents.upsert(parts[1], Long.parseLong(parts[2].trim()), origin);
  }

  /** Whether the last update changed no row. */
  boolean isUnchanged() {
    return lastChanges.stream().allMatch(Changes::isEmpty);
  }

  History<Row> history(String key) {
    return keys.get(key);
  }

  /** {@code (key,values)} for SCD 1, {@code (key,values,start,end)} for SCD 2, by key and start. */
  List<String> rows() {
    List<String> rows = new ArrayList<>();
    keys.forEach(
        (key, history) -> {
          for (Version<Row> version : history.versions()) {
            String all = TestEvents.show(List.of(version)).get(0).substring(1);
            String shown = type == StorageType.SCD1 ? version.values() + ")" : all;
            rows.add("(" + key + "," + shown);
          }
        });
    return rows;
  }
}
