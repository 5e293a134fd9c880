package io.sluice.sequencing;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.history.Changes;
import io.sluice.history.Event;
import io.sluice.history.Floor;
import io.sluice.history.Origin;
import io.sluice.history.Sequence;
import io.sluice.history.SequenceEncoder;
import io.sluice.history.StorageType;
import io.sluice.history.Tie;
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
    List<FlowSources> flows =
        List.of(
            new FlowSources("first", 0, List.of(), "row"),
            new FlowSources("second", 1, List.of(), "row"));
    return new SequencerMetrics(group, layout, flows, mark, () -> 7, () -> 5_000);
  }

  private Recorded target() {
    return group.groups.get("target=towns");
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
    assertThat(target().values())
        .containsEntry("upserts", 3L)
        .containsEntry("lateRewrites", 2L)
        .containsEntry("staleIgnored", 1L)
        .containsEntry("tombstonesLive", 7L);
  }

  @Test
  void flows_are_counted_apart() {
    SequencerMetrics metrics = metrics(StorageType.SCD2, new TimestampType(3), Sequence.LOWEST);
    Event<BinaryRowData> winner = Event.upsert(at(10), VALUES, new Origin(1, "b", 1));
    Event<BinaryRowData> loser = Event.upsert(at(10), VALUES, new Origin(0, "a", 1));
    metrics.count(
        new Changes<>(
            List.of(),
            List.of(new Version<>(at(10), null, VALUES)),
            1,
            0,
            List.of(new Tie<>(winner, loser))),
        Floor.at(at(5)),
        List.of(),
        List.of(),
        List.of(loser, winner, Event.delete(at(4), new Origin(0, "a", 2))));
    assertThat(target().groups.get("flow=first").values())
        .containsEntry("upserts", 1L)
        .containsEntry("deletes", 1L)
        .containsEntry("lateRewrites", 1L)
        .containsEntry("staleIgnored", 0L)
        .containsEntry("tiesResolved", 0L);
    assertThat(target().groups.get("flow=second").values())
        .containsEntry("upserts", 1L)
        .containsEntry("deletes", 0L)
        .containsEntry("lateRewrites", 0L)
        .containsEntry("tiesResolved", 1L);
    assertThat(target().values())
        .containsEntry("upserts", 2L)
        .containsEntry("lateRewrites", 1L)
        .containsEntry("tiesResolved", 1L);
  }

  @Test
  void a_late_event_of_scd_type_1_rewrites_nothing() {
    count(
        metrics(StorageType.SCD1, new TimestampType(3), Sequence.LOWEST), changes(1, true), 10, 5);
    assertThat(target().values())
        .containsEntry("staleIgnored", 1L)
        .containsEntry("lateRewrites", 0L);
  }

  @Test
  void the_lag_is_that_of_the_greatest_sequence() {
    SequencerMetrics metrics = metrics(StorageType.SCD2, new TimestampType(3), Sequence.LOWEST);
    assertThat(target().values()).containsEntry("sequenceLag", 0L);
    count(metrics, changes(0, true), 4_000, 3_000);
    assertThat(target().values()).containsEntry("sequenceLag", 1_000L);
  }

  @Test
  void a_sequence_without_a_time_has_no_lag() {
    metrics(StorageType.SCD2, new IntType(), Sequence.LOWEST);
    assertThat(target().values()).doesNotContainKey("sequenceLag");
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
    assertThat(target().values()).containsEntry("sequenceLag", 500L).containsEntry("deletes", 1L);
  }

  @Test
  void events_at_or_below_what_was_forgotten_are_counted() {
    SequencerMetrics metrics = metrics(StorageType.SCD2, new TimestampType(3), at(10));
    count(metrics, changes(0, true), 10, 11);
    metrics.raiseMark(at(20));
    metrics.raiseMark(at(15));
    count(metrics, changes(0, true), 18, 21);
    metrics.collected(3);
    assertThat(target().values())
        .containsEntry("arrivedAfterTombstoneCollected", 2L)
        .containsEntry("tombstonesCollected", 3L);
  }

  private static final class Recorded extends UnregisteredMetricsGroup {

    private final Map<String, Object> metrics = new HashMap<>();
    private final Map<String, Recorded> groups = new HashMap<>();

    @Override
    public MetricGroup addGroup(String key, String value) {
      return groups.computeIfAbsent(key + "=" + value, path -> new Recorded());
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
