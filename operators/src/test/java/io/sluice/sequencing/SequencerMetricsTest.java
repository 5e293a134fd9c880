package io.sluice.sequencing;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.history.Changes;
import io.sluice.history.Event;
import io.sluice.history.Floor;
import io.sluice.history.Origin;
import io.sluice.history.Sequence;
import io.sluice.history.SequenceEncoder;
import io.sluice.history.StorageType;
import io.sluice.history.Version;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.flink.table.data.binary.BinaryRowData;
import org.apache.flink.table.types.logical.IntType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.TimestampType;
import org.junit.jupiter.api.Test;

class SequencerMetricsTest {

  private static final BinaryRowData VALUES = new BinaryRowData(1);

  private final Recorded group = new Recorded();

  private SequencerMetrics metrics(StorageType type, LogicalType sequence, Sequence mark) {
    TargetLayout layout =
        new TargetLayout(
            "towns",
            type,
            RowType.of(new IntType()),
            List.of(0),
            List.of(),
            true,
            OrderedColumn.ofSequence("n", sequence),
            false);
    return new SequencerMetrics(group, layout, mark, () -> 7, () -> 5_000);
  }

  private static Sequence at(long millis) {
    return Sequence.of(new SequenceEncoder().putLong(millis * 1000).toBytes());
  }

  private static Changes<BinaryRowData> changes(int late, boolean changed) {
    return new Changes<>(
        List.of(),
        changed ? List.of(new Version<>(at(1), null, VALUES)) : List.of(),
        late,
        0,
        List.of());
  }

  private static void count(
      SequencerMetrics metrics, Changes<BinaryRowData> changes, long... upserts) {
    metrics.count(
        changes,
        Floor.NONE,
        List.of(),
        List.of(),
        java.util.Arrays.stream(upserts)
            .mapToObj(millis -> Event.upsert(at(millis), VALUES, Origin.UNKNOWN))
            .toList());
  }

  @Test
  void late_events_that_change_rows_are_told_from_those_that_do_not() {
    SequencerMetrics metrics = metrics(StorageType.SCD2, new TimestampType(3), Sequence.LOWEST);
    count(metrics, changes(2, true), 10, 20);
    count(metrics, changes(1, false), 15);
    assertThat(group.values())
        .containsEntry("upserts", 3L)
        .containsEntry("lateRewrites", 2L)
        .containsEntry("staleIgnored", 1L)
        .containsEntry("tombstonesLive", 7L);
    assertThat(group.path).isEqualTo("target=towns");
  }

  @Test
  void a_late_event_of_scd_type_1_rewrites_nothing() {
    count(
        metrics(StorageType.SCD1, new TimestampType(3), Sequence.LOWEST), changes(1, true), 10, 5);
    assertThat(group.values()).containsEntry("staleIgnored", 1L).containsEntry("lateRewrites", 0L);
  }

  @Test
  void the_lag_is_that_of_the_greatest_sequence() {
    SequencerMetrics metrics = metrics(StorageType.SCD2, new TimestampType(3), Sequence.LOWEST);
    assertThat(group.values()).containsEntry("sequenceLag", 0L);
    count(metrics, changes(0, true), 4_000, 3_000);
    assertThat(group.values()).containsEntry("sequenceLag", 1_000L);
  }

  @Test
  void a_sequence_without_a_time_has_no_lag() {
    metrics(StorageType.SCD2, new IntType(), Sequence.LOWEST);
    assertThat(group.values()).doesNotContainKey("sequenceLag");
  }

  @Test
  void the_first_column_of_a_struct_tells_the_lag() {
    SequencerMetrics metrics =
        metrics(StorageType.SCD2, RowType.of(new TimestampType(3), new IntType()), Sequence.LOWEST);
    Sequence sequence = Sequence.of(new SequenceEncoder().putLong(4_500_000).putInt(1).toBytes());
    metrics.count(
        changes(0, true),
        Floor.NONE,
        List.of(),
        List.of(),
        List.of(Event.delete(sequence, Origin.UNKNOWN)));
    assertThat(group.values()).containsEntry("sequenceLag", 500L).containsEntry("deletes", 1L);
  }

  @Test
  void events_at_or_below_what_was_forgotten_are_counted() {
    SequencerMetrics metrics = metrics(StorageType.SCD2, new TimestampType(3), at(10));
    count(metrics, changes(0, true), 10, 11);
    metrics.raiseMark(at(20));
    metrics.raiseMark(at(15));
    count(metrics, changes(0, true), 18, 21);
    metrics.collected(3);
    assertThat(group.values())
        .containsEntry("arrivedAfterTombstoneCollected", 2L)
        .containsEntry("tombstonesCollected", 3L);
  }

  private static final class Recorded extends UnregisteredMetricsGroup {

    private final Map<String, Object> metrics = new HashMap<>();
    private String path;

    @Override
    public MetricGroup addGroup(String key, String value) {
      path = key + "=" + value;
      return this;
    }

    @Override
    public Counter counter(String name) {
      Counter counter = super.counter(name);
      metrics.put(name, counter);
      return counter;
    }

    @Override
    public <T, G extends Gauge<T>> G gauge(String name, G gauge) {
      metrics.put(name, gauge);
      return gauge;
    }

    Map<String, Long> values() {
      Map<String, Long> values = new HashMap<>();
      metrics.forEach(
          (name, metric) ->
              values.put(
                  name,
                  metric instanceof Counter counter
                      ? (Long) counter.getCount()
                      : (Long) ((Gauge<?>) metric).getValue()));
      return values;
    }
  }
}
