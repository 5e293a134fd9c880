package io.sluice.benchmarks;

import io.sluice.pipeline.Pipeline;
import io.sluice.plan.ContinuousMarker;
import io.sluice.run.ContinuousRun;
import io.sluice.run.UpdateOptions;
import io.sluice.table.Ledger;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.iceberg.catalog.TableIdentifier;

/** A continuous run of a pipeline with one table, in a thread of this process. */
final class SluiceKeeper implements Keeper {

  private final AtomicLong read = new AtomicLong();
  private final ContinuousRun run;
  private final FutureTask<Void> task;

  private SluiceKeeper(Workshop workshop, Pipeline pipeline) {
    run =
        new ContinuousRun(
            workshop.connection(),
            workshop.runtime(),
            UpdateOptions.incremental(workshop.parallelism()),
            (target, events, rows) -> read.accumulateAndGet(events, Math::max),
            notice -> System.err.println("notice: " + notice));
    task =
        new FutureTask<>(
            () -> {
              run.run(pipeline);
              return null;
            });
  }

  /** Starts the run and waits until it keeps the table. */
  static SluiceKeeper start(Workshop workshop, String table, String sql) throws Exception {
    SluiceKeeper keeper = new SluiceKeeper(workshop, workshop.pipeline(sql));
    new Thread(keeper.task, "keeper").start();
    TableIdentifier identifier = workshop.connection().identifier(List.of(table));
    while (!keeper.task.isDone()) {
      if (workshop.connection().catalog().tableExists(identifier)
          && Ledger.read(workshop.connection().catalog().loadTable(identifier))
              .flatMap(found -> ContinuousMarker.of(found.ledger()))
              .isPresent()) {
        return keeper;
      }
      Thread.sleep(100);
    }
    keeper.task.get();
    throw new IllegalStateException("the run has ended");
  }

  @Override
  public long read() throws Exception {
    if (task.isDone()) {
      task.get();
      throw new IllegalStateException("the run has ended");
    }
    return read.get();
  }

  @Override
  public void stop() throws Exception {
    run.stop();
    task.get();
  }
}
