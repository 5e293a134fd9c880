package io.sluice.continuous;

import io.sluice.sequencing.Failures;
import java.io.Serializable;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.core.io.InputStatus;

/**
 * Looks for arrivals in a thread of its own, because a listing may take long, and hands them out in
 * the task's. It looks again only when all that it found is handed out.
 */
final class ArrivalReader<A extends Serializable> implements SourceReader<A, ArrivalSplit<A>> {

  private final Arrivals<A> arrivals;
  private final Duration interval;
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread made = new Thread(task, "sluice-arrivals");
            made.setDaemon(true);
            return made;
          });

  private List<A> handedOut = new ArrayList<>();
  private Arrivals.Search<A> search;
  private Queue<A> waiting = new ArrayDeque<>();
  private CompletableFuture<List<A>> look = new CompletableFuture<>();
  private boolean looking;

  ArrivalReader(Arrivals<A> arrivals, Duration interval) {
    this.arrivals = arrivals;
    this.interval = interval;
  }

  @Override
  public void start() {}

  @Override
  public void addSplits(List<ArrivalSplit<A>> splits) {
    handedOut = new ArrayList<>(splits.get(0).handedOut());
    search = arrivals.open(handedOut);
    look(0);
  }

  private void look(long afterMs) {
    looking = true;
    CompletableFuture<List<A>> result = look.isDone() ? new CompletableFuture<>() : look;
    look = result;
    thread.schedule(() -> lookNow(result), afterMs, TimeUnit.MILLISECONDS);
  }

  private void lookNow(CompletableFuture<List<A>> result) {
    try {
      List<A> found = search.next();
      if (found.isEmpty()) {
        thread.schedule(() -> lookNow(result), interval.toMillis(), TimeUnit.MILLISECONDS);
      } else {
        result.complete(found);
      }
    } catch (Throwable e) {
      result.completeExceptionally(e);
    }
  }

  @Override
  public InputStatus pollNext(ReaderOutput<A> output) throws Exception {
    if (waiting.isEmpty() && looking && look.isDone()) {
      looking = false;
      waiting.addAll(found());
    }
    A next = waiting.poll();
    if (next == null) {
      return InputStatus.NOTHING_AVAILABLE;
    }
    output.collect(next);
    handedOut.add(next);
    if (!waiting.isEmpty()) {
      return InputStatus.MORE_AVAILABLE;
    }
    look(interval.toMillis());
    return InputStatus.NOTHING_AVAILABLE;
  }

  private List<A> found() throws Exception {
    try {
      return look.get();
    } catch (java.util.concurrent.ExecutionException e) {
      throw e.getCause() instanceof Exception cause ? Failures.inTask(cause) : e;
    }
  }

  @Override
  public CompletableFuture<Void> isAvailable() {
    return waiting.isEmpty()
        ? look.handle((found, failure) -> null)
        : CompletableFuture.completedFuture(null);
  }

  @Override
  public List<ArrivalSplit<A>> snapshotState(long checkpointId) {
    if (search == null) {
      return List.of();
    }
    ArrivalSplit<A> split = new ArrivalSplit<>(arrivals.remembered(handedOut));
    handedOut = new ArrayList<>(split.handedOut());
    return List.of(split);
  }

  @Override
  public void notifyNoMoreSplits() {}

  @Override
  public void close() {
    thread.shutdownNow();
    if (search != null) {
      search.close();
    }
  }
}
