package io.sluice.benchmarks;

import java.util.List;
import java.util.function.ToDoubleFunction;

/** The middle of some measurements, of wall and processor time each. */
final class Median {

  private Median() {}

  static Measured of(List<Measured> measured) {
    return new Measured(
        middle(measured, Measured::wallSeconds), middle(measured, Measured::cpuSeconds));
  }

  private static double middle(List<Measured> measured, ToDoubleFunction<Measured> what) {
    double[] sorted = measured.stream().mapToDouble(what).sorted().toArray();
    int half = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
  }
}
