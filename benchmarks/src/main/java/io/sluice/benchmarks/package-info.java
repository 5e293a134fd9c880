/**
 * What updates cost, measured side by side in one process: a {@link io.sluice.benchmarks.Feed} of
 * change events goes through the product ({@link io.sluice.benchmarks.Workshop}) and through a
 * plain Flink job ({@link io.sluice.benchmarks.PlainAppend}). The method and the figures are in
 * benchmarks/README.md.
 */
package io.sluice.benchmarks;
