package io.sluice.sequencing;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The keys of one subtask that are open, the oldest first, and the memory that they take. */
final class OpenKeys {

  private final Map<RowKey, OpenKey> keys = new LinkedHashMap<>();
  private long bytes;

  /** The open key, which is opened if it is not yet. */
  OpenKey get(RowKey key) {
    return keys.computeIfAbsent(key, OpenKey::new);
  }

  /** The rows of a key have changed. */
  void resized(OpenKey key) {
    bytes += key.grown();
  }

  /** Estimated bytes of all of them. */
  long bytes() {
    return bytes;
  }

  /** The one that was opened first; there must be one. */
  OpenKey oldest() {
    return keys.values().iterator().next();
  }

  void remove(OpenKey key) {
    keys.remove(key.key);
    bytes -= key.weight();
  }

  /** All of them in the order of their keys, so that files are written in this order. */
  List<OpenKey> inOrder() {
    List<OpenKey> sorted = new ArrayList<>(keys.values());
    sorted.sort(Comparator.comparing(key -> key.key));
    return sorted;
  }

  void clear() {
    keys.clear();
    bytes = 0;
  }
}
