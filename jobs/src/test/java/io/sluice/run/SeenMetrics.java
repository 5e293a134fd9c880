package io.sluice.run;

import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.Metric;
import org.apache.flink.metrics.MetricConfig;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.reporter.MetricReporter;
import org.apache.flink.metrics.reporter.MetricReporterFactory;

/** A reporter that a user might have, which keeps what Flink shows it of a target. */
public final class SeenMetrics implements MetricReporterFactory, MetricReporter {

  /** By name, target and flow: {@code invalid default.people changes}. */
  private static final Map<String, Metric> SEEN = new ConcurrentHashMap<>();

  /** Settings with which a cluster has this reporter. */
  static Map<String, String> settings() {
    return Map.of(
        "metrics.reporters",
        "seen",
        "metrics.reporter.seen.factory.class",
        SeenMetrics.class.getName());
  }

  /** The values of all counters and gauges of numbers. */
  static Map<String, Long> values() {
    return SEEN.entrySet().stream()
        .collect(Collectors.toMap(Map.Entry::getKey, each -> value(each.getValue())));
  }

  private static long value(Metric metric) {
    return metric instanceof Counter counter
        ? counter.getCount()
        : ((Gauge<?>) metric).getValue() instanceof Number number ? number.longValue() : -1;
  }

  private static String key(String name, MetricGroup group) {
    Map<String, String> scope = group.getAllVariables();
    return Stream.of(name, scope.get("<target>"), scope.get("<flow>"))
        .filter(Objects::nonNull)
        .collect(Collectors.joining(" "));
  }

  @Override
  public MetricReporter createMetricReporter(Properties properties) {
    return this;
  }

  @Override
  public void open(MetricConfig config) {
    SEEN.clear();
  }

  @Override
  public void close() {}

  @Override
  public void notifyOfAddedMetric(Metric metric, String name, MetricGroup group) {
    boolean ours =
        group.getAllVariables().containsKey("<target>")
            || group.getAllVariables().containsKey("<flow>");
    if (ours && (metric instanceof Counter || metric instanceof Gauge)) {
      SEEN.put(key(name, group), metric);
    }
  }

  @Override
  public void notifyOfRemovedMetric(Metric metric, String name, MetricGroup group) {}
}
