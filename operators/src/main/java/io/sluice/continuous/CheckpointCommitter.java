package io.sluice.continuous;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.SluiceException;
import io.sluice.release.ClassRelease;
import io.sluice.sequencing.Failures;
import io.sluice.sequencing.UpdateOutput;
import io.sluice.table.VersionedSerializer;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeutils.base.array.BytePrimitiveArraySerializer;
import org.apache.flink.core.io.SimpleVersionedSerialization;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * The one committer of a target in a continuous job. What the tasks hand over before a barrier
 * becomes one commit when that checkpoint is complete, in the order of the checkpoints, each with a
 * number of its own; a checkpoint without content makes none. Numbers are dense within a run, so
 * that a restored state can be held against the table's ledger: the state's pending checkpoints are
 * committed if the ledger lacks them, and a state that does not fit the ledger is refused. Nothing
 * is committed that comes from a source which has been replaced by another one.
 */
public final class CheckpointCommitter extends AbstractStreamOperator<Void>
    implements OneInputStreamOperator<UpdateOutput, Void> {

  private static final long serialVersionUID = 1L;

  private static final VersionedSerializer<State> SERIALIZER =
      new VersionedSerializer<>(State.class);

  private final String table;
  private final Commits commits;
  private final SourceWatch watch;

  private transient ListState<byte[]> stored;
  private transient State state;
  private transient boolean restored;
  private transient Commits.Session session;
  private transient SourceWatch.Session sources;
  private transient Counter committed;
  private transient volatile long lastCommit;

  /** What survives a restart. */
  private static final class State implements Serializable {

    private static final long serialVersionUID = 1L;

    /** The last number that was given to a checkpoint. */
    private long number;

    /** The last one that is committed. */
    private Checkpoint.Id done = Checkpoint.Id.BEGIN;

    /** Checkpoints that are not committed, by Flink's number. */
    private final TreeMap<Long, Checkpoint> pending = new TreeMap<>();

    /** What has come since the last of them. */
    private final ArrayList<UpdateOutput> received = new ArrayList<>();

    /** What the session knows beside the ledger. */
    private byte[] memory;
  }

  /**
   * @param table name of the target, for messages
   * @param commits how it is committed
   * @param watch tells whether the sources are still the same ones
   */
  public CheckpointCommitter(String table, Commits commits, SourceWatch watch) {
    this.table = table;
    this.commits = commits;
    this.watch = watch;
  }

  @Override
  public void initializeState(StateInitializationContext context) throws Exception {
    super.initializeState(context);
    stored =
        context
            .getOperatorStateStore()
            .getListState(
                new ListStateDescriptor<>("commits", BytePrimitiveArraySerializer.INSTANCE));
    state = new State();
    for (byte[] bytes : stored.get()) {
      state = SimpleVersionedSerialization.readVersionAndDeSerialize(SERIALIZER, bytes);
      restored = true;
    }
  }

  @Override
  public void open() throws Exception {
    super.open();
    ClassRelease.register(getRuntimeContext());
    lastCommit = System.currentTimeMillis();
    MetricGroup group = getMetricGroup().addGroup("target", table);
    group.gauge(
        "commitAgeSeconds", (Gauge<Long>) () -> (System.currentTimeMillis() - lastCommit) / 1000);
    committed = group.counter("commits");
    try {
      sources = watch.open();
      session = commits.open();
      if (restored) {
        session.recall(state.memory);
        resume();
      } else if (session.committed().number() > 0) {
        throw refused("the job has no checkpoint, and the table has number " + session.committed());
      }
    } catch (SluiceException e) {
      throw Failures.inTask(e);
    }
  }

  /** The state belongs to a complete checkpoint: what it holds is to be committed, once. */
  private void resume() {
    long last = state.number;
    Checkpoint.Id found = session.committed();
    long committed = found.number();
    if (committed > last) {
      throw refused(
          "the checkpoint is older than the table: its last commit is number "
              + last
              + ", the table has number "
              + committed);
    }
    if (committed < last - state.pending.size()) {
      throw refused(
          "the table lacks commits that the checkpoint counts as done: the table has number "
              + committed
              + ", the checkpoint is at number "
              + (last - state.pending.size())
              + "; the table was rolled back");
    }
    while (state.done.number() < committed) {
      state.done = state.pending.pollFirstEntry().getValue().id();
    }
    if (!state.done.equals(found)) {
      throw refused(
          "its commit number "
              + committed
              + " is not that of the checkpoint, but of a job that went on from an older one");
    }
    commitUpTo(Long.MAX_VALUE);
  }

  private SluiceException refused(String what) {
    return new SluiceException(
        ErrorCode.CHECKPOINT_REFUSED,
        "table " + table + ": " + what,
        "The run has to begin anew from the tables");
  }

  @Override
  public void processElement(StreamRecord<UpdateOutput> element) {
    state.received.add(element.getValue());
  }

  @Override
  public void snapshotState(StateSnapshotContext context) throws Exception {
    super.snapshotState(context);
    boolean rebuilding = state.received.removeIf(UpdateOutput.Rebuilding.class::isInstance);
    if (!rebuilding && !state.received.isEmpty()) {
      try {
        session.check(state.received);
      } catch (SluiceException e) {
        throw Failures.inTask(e);
      }
      state.pending.put(
          context.getCheckpointId(),
          new Checkpoint(Checkpoint.Id.random(++state.number), state.received));
      state.received.clear();
    }
    state.memory = session.memory();
    stored.update(
        List.of(SimpleVersionedSerialization.writeVersionAndSerialize(SERIALIZER, state)));
  }

  @Override
  public void notifyCheckpointComplete(long checkpointId) throws Exception {
    super.notifyCheckpointComplete(checkpointId);
    try {
      commitUpTo(checkpointId);
      sources.look();
    } catch (SluiceException e) {
      throw Failures.inTask(e);
    }
  }

  /**
   * All that it commits was read before the sources are asked. What they do not confirm waits for
   * the next checkpoint.
   */
  private void commitUpTo(long checkpointId) {
    Map<Long, Checkpoint> complete = state.pending.headMap(checkpointId, true);
    if (complete.isEmpty() || !sources.confirms(sourcesOf(complete.values()))) {
      return;
    }
    while (!complete.isEmpty()) {
      Map.Entry<Long, Checkpoint> next = state.pending.firstEntry();
      session.commit(next.getValue());
      state.pending.remove(next.getKey());
      state.done = next.getValue().id();
      committed.inc();
      lastCommit = System.currentTimeMillis();
    }
  }

  private static Set<SourceWatch.Read> sourcesOf(Collection<Checkpoint> checkpoints) {
    return checkpoints.stream()
        .flatMap(checkpoint -> checkpoint.outputs().stream())
        .filter(UpdateOutput.Read.class::isInstance)
        .map(UpdateOutput.Read.class::cast)
        .map(read -> new SourceWatch.Read(read.flow(), read.source()))
        .collect(Collectors.toSet());
  }

  @Override
  public void close() throws Exception {
    if (sources != null) {
      sources.close();
    }
    if (session != null) {
      session.close();
    }
    super.close();
  }
}
