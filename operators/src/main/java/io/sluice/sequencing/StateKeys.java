package io.sluice.sequencing;

import java.util.List;
import java.util.stream.Stream;
import org.apache.flink.runtime.state.KeyedStateBackend;
import org.apache.flink.runtime.state.VoidNamespace;

/** The keys that have something in a keyed state. */
final class StateKeys {

  private StateKeys() {}

  /** A copy, so that the state may be changed while one goes through it. */
  static List<RowKey> of(KeyedStateBackend<RowKey> backend, String state) {
    try (Stream<RowKey> keys = backend.getKeys(state, VoidNamespace.INSTANCE)) {
      return keys.toList();
    }
  }
}
