package io.sluice.sequencing;

import java.util.List;
import org.apache.flink.util.Collector;

/** Decides what an update changes in one key. */
interface KeyApplier {

  /**
   * Emits the changes of one key.
   *
   * @param records what is new of the key and what is known of it, in any order; never empty
   */
  void apply(List<KeyedRecord> records, Collector<RowChange> out);
}
