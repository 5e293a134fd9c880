package io.sluice.continuous;

import io.sluice.release.ClassRelease;
import io.sluice.table.VersionedSerializer;
import java.io.Serializable;
import java.time.Duration;
import java.util.List;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/**
 * An unbounded source of arrivals, for parallelism 1: one reader looks for them at an interval and
 * hands them out one by one. Whoever reads an arrival is chained to it or stands behind an aligned
 * barrier, so that an arrival handed out before a barrier is read before it.
 *
 * @param <A> an arrival
 */
public final class ArrivalSource<A extends Serializable>
    implements Source<A, ArrivalSplit<A>, Boolean> {

  private static final long serialVersionUID = 1L;

  private final Arrivals<A> arrivals;
  private final Duration interval;

  /**
   * @param interval pause between two looks that find nothing
   */
  public ArrivalSource(Arrivals<A> arrivals, Duration interval) {
    this.arrivals = arrivals;
    this.interval = interval;
  }

  @Override
  public Boundedness getBoundedness() {
    return Boundedness.CONTINUOUS_UNBOUNDED;
  }

  @Override
  public SourceReader<A, ArrivalSplit<A>> createReader(SourceReaderContext context) {
    ClassRelease.register(context.getUserCodeClassLoader());
    return new ArrivalReader<>(arrivals, interval);
  }

  @Override
  public SplitEnumerator<ArrivalSplit<A>, Boolean> createEnumerator(
      SplitEnumeratorContext<ArrivalSplit<A>> context) {
    return new ArrivalEnumerator<>(context, false);
  }

  @Override
  public SplitEnumerator<ArrivalSplit<A>, Boolean> restoreEnumerator(
      SplitEnumeratorContext<ArrivalSplit<A>> context, Boolean assigned) {
    return new ArrivalEnumerator<>(context, assigned);
  }

  @Override
  @SuppressWarnings({"unchecked", "rawtypes"})
  public SimpleVersionedSerializer<ArrivalSplit<A>> getSplitSerializer() {
    return new VersionedSerializer(ArrivalSplit.class);
  }

  @Override
  public SimpleVersionedSerializer<Boolean> getEnumeratorCheckpointSerializer() {
    return new VersionedSerializer<>(Boolean.class);
  }

  /** Gives its one split to the one reader, once. */
  private static final class ArrivalEnumerator<A extends Serializable>
      implements SplitEnumerator<ArrivalSplit<A>, Boolean> {

    private final SplitEnumeratorContext<ArrivalSplit<A>> context;
    private boolean assigned;
    private ArrivalSplit<A> returned;

    ArrivalEnumerator(SplitEnumeratorContext<ArrivalSplit<A>> context, boolean assigned) {
      this.context = context;
      this.assigned = assigned;
    }

    @Override
    public void start() {
      if (context.currentParallelism() != 1) {
        throw new IllegalStateException("a source of arrivals has parallelism 1");
      }
    }

    @Override
    public void addReader(int subtask) {
      if (!assigned || returned != null) {
        context.assignSplit(returned == null ? new ArrivalSplit<>(List.of()) : returned, subtask);
        returned = null;
        assigned = true;
      }
    }

    @Override
    public void addSplitsBack(List<ArrivalSplit<A>> splits, int subtask) {
      if (!splits.isEmpty()) {
        returned = splits.get(0);
      }
    }

    @Override
    public void handleSplitRequest(int subtask, String host) {
      throw new UnsupportedOperationException("readers of arrivals ask for nothing");
    }

    @Override
    public Boolean snapshotState(long checkpointId) {
      return assigned && returned == null;
    }

    @Override
    public void close() {}
  }
}
