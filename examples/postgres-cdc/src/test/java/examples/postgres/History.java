package examples.postgres;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What became of the keys of one table, in the order of the commits: the naive model of a table of
 * SCD type 2. A row is the values of all columns, a key those of the key columns.
 */
final class History {

  /** Stands between two versions where the row was not there, and behind the last one. */
  static final List<Object> GONE = List.of("gone");

  private final Map<List<Object>, List<Optional<List<Object>>>> changes = new LinkedHashMap<>();

  /** A committed change. */
  record Change(List<Object> key, Optional<List<Object>> row) {}

  void add(Change change) {
    changes.computeIfAbsent(change.key(), key -> new ArrayList<>()).add(change.row());
  }

  /**
   * By key its versions; equal ones that follow each other are one. Keys without any are left out.
   */
  Map<List<Object>, List<List<Object>>> versions() {
    Map<List<Object>, List<List<Object>>> versions = new LinkedHashMap<>();
    changes.forEach(
        (key, rows) -> {
          List<List<Object>> ofKey = new ArrayList<>();
          for (Optional<List<Object>> row : rows) {
            List<Object> next = row.orElse(GONE);
            boolean nothingYet = ofKey.isEmpty() && next == GONE;
            if (!nothingYet && (ofKey.isEmpty() || !ofKey.get(ofKey.size() - 1).equals(next))) {
              ofKey.add(next);
            }
          }
          if (!ofKey.isEmpty()) {
            versions.put(key, ofKey);
          }
        });
    return versions;
  }
}
