package io.sluice.plan;

import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.util.Collector;

/**
 * Emits nothing: stands in for a source without input.
 *
 * @param <I> type of the splits
 * @param <O> type of the rows
 */
final class NothingFunction<I, O> extends ProcessFunction<I, O> {

  private static final long serialVersionUID = 1L;

  @Override
  public void processElement(I split, Context context, Collector<O> out) {
    // Nothing comes in.
  }
}
