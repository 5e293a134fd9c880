package io.sluice.benchmarks;

import io.sluice.history.Changes;
import io.sluice.history.Event;
import io.sluice.history.History;
import io.sluice.history.InvalidHistoryException;
import io.sluice.history.Origin;
import io.sluice.history.Sequence;
import io.sluice.history.SequenceEncoder;
import io.sluice.history.StorageType;
import io.sluice.history.Values;
import io.sluice.history.Version;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Costs of the history core: a key of SCD type 2 with so many versions, one event more. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class HistoryBenchmark {

  private static final Values<Integer> VALUES =
      new Values<>() {
        @Override
        public boolean same(Integer left, Integer right) {
          return left.equals(right);
        }

        @Override
        public boolean sameTracked(Integer left, Integer right) {
          return left.equals(right);
        }

        @Override
        public int compareContent(Integer left, Integer right) {
          return left.compareTo(right);
        }
      };

  /** Versions that the key has. */
  @Param({"1", "10", "1000"})
  public int versions;

  private List<Version<Integer>> rows;
  private List<Event<Integer>> newest;
  private List<Event<Integer>> late;

  /** Makes the rows and the events. */
  @Setup
  public void prepare() {
    rows = new ArrayList<>();
    for (int i = 0; i < versions; i++) {
      rows.add(
          new Version<>(sequence(10L * i), i + 1 == versions ? null : sequence(10L * i + 10), i));
    }
    newest = List.of(Event.upsert(sequence(10L * versions), -1, Origin.UNKNOWN));
    late = List.of(Event.upsert(sequence(5), -2, Origin.UNKNOWN));
  }

  private static Sequence sequence(long value) {
    return new SequenceEncoder().putLong(value).toSequence();
  }

  /** All rows are read back, an event in order is applied. */
  @Benchmark
  public Changes<Integer> recoverAllAndApply() throws InvalidHistoryException {
    return History.recover(StorageType.SCD2, VALUES, rows, List.of()).apply(newest);
  }

  /** What an event in order can touch is read back, and the event is applied. */
  @Benchmark
  public Changes<Integer> recoverSuffixAndApply() throws InvalidHistoryException {
    return History.recoverSuffix(
            StorageType.SCD2, VALUES, rows, List.of(), newest.get(0).sequence())
        .apply(newest);
  }

  /** An event near the beginning of the history is applied. */
  @Benchmark
  public Changes<Integer> recoverAllAndApplyLate() throws InvalidHistoryException {
    return History.recover(StorageType.SCD2, VALUES, rows, List.of()).apply(late);
  }

  /** The order-preserving form of a number and a text. */
  @Benchmark
  public byte[] encodeSequence() {
    return new SequenceEncoder().putLong(1_234_567L).putString("region-7").toBytes();
  }
}
