package io.sluice.sequencing;

import java.util.List;
import org.apache.flink.util.Collector;

/**
 * Works on one key at a time.
 *
 * @param <O> what it emits
 */
interface KeyApplier<O> {

  /**
   * Emits what follows from the records of one key.
   *
   * @param records what is new of the key and what is known of it, in any order; never empty
   */
  void apply(List<KeyedRecord> records, Collector<O> out);
}
