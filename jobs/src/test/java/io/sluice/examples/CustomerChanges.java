package io.sluice.examples;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.TreeMap;

/** What the tables of the customers example must hold, worked out from the whole feed at once. */
final class CustomerChanges {

  private final TreeMap<Integer, TreeMap<OffsetDateTime, JsonNode>> byCustomer = new TreeMap<>();

  private CustomerChanges() {}

  static CustomerChanges of(List<String> lines) {
    CustomerChanges changes = new CustomerChanges();
    ObjectMapper mapper = new ObjectMapper();
    for (String line : lines) {
      try {
        JsonNode change = mapper.readTree(line);
        changes
            .byCustomer
            .computeIfAbsent(change.get("customer_id").intValue(), id -> new TreeMap<>())
            .put(OffsetDateTime.parse(change.get("changed_at").textValue()), change);
      } catch (JsonProcessingException e) {
        throw new IllegalArgumentException(line, e);
      }
    }
    return changes;
  }

  /** The last change of every customer that is not a deletion. */
  Collection<List<Object>> current() {
    List<List<Object>> rows = new ArrayList<>();
    byCustomer
        .values()
        .forEach(
            changes -> {
              JsonNode last = changes.lastEntry().getValue();
              if (!isDelete(last)) {
                rows.add(row(last, changes.lastKey()));
              }
            });
    return rows;
  }

  /** A row per run of changes with the same city and tier, with the other values of its last. */
  Collection<List<Object>> history() {
    List<List<Object>> rows = new ArrayList<>();
    byCustomer.values().forEach(changes -> rows.addAll(periods(changes)));
    return rows;
  }

  private static List<List<Object>> periods(TreeMap<OffsetDateTime, JsonNode> changes) {
    List<List<Object>> periods = new ArrayList<>();
    JsonNode open = null;
    OffsetDateTime since = null;
    for (var entry : changes.entrySet()) {
      JsonNode change = entry.getValue();
      boolean goesOn = open != null && !isDelete(change) && tracked(open).equals(tracked(change));
      if (open != null && !goesOn) {
        periods.add(row(open, since, entry.getKey()));
      }
      if (!goesOn) {
        since = entry.getKey();
      }
      open = isDelete(change) ? null : change;
    }
    if (open != null) {
      periods.add(row(open, since, null));
    }
    return periods;
  }

  private static boolean isDelete(JsonNode change) {
    return change.get("operation").textValue().equals("DELETE");
  }

  private static List<String> tracked(JsonNode change) {
    return List.of(change.get("city").textValue(), change.get("tier").textValue());
  }

  private static List<Object> row(JsonNode change, Object... more) {
    List<Object> row = new ArrayList<>();
    row.add(change.get("customer_id").intValue());
    for (String column : List.of("name", "email", "city", "tier")) {
      row.add(change.get(column).textValue());
    }
    row.addAll(Arrays.asList(more));
    return row;
  }
}
