package io.sluice.run;

import io.sluice.catalog.CatalogConnection;
import io.sluice.catalog.CatalogErrors;
import io.sluice.errors.ErrorCode;
import io.sluice.errors.Problem;
import io.sluice.errors.SluiceException;
import io.sluice.pipeline.Pipeline;
import io.sluice.pipeline.TargetTable;
import io.sluice.plan.DefinitionResolver;
import io.sluice.plan.ResolvedPipeline;
import io.sluice.plan.ResolvedTarget;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.StateRecoveryOptions;

/**
 * A triggered update (semantics 13.4): every flow reads what is there, then the update ends. Tables
 * that do not read each other are updated side by side.
 */
public final class Update {

  private static final int SIDE_BY_SIDE = 3;

  private final CatalogConnection connection;
  private final FlinkRuntime runtime;
  private final UpdateOptions options;
  private final ProgressListener listener;
  private final String updateId = UUID.randomUUID().toString();

  public Update(
      CatalogConnection connection,
      FlinkRuntime runtime,
      UpdateOptions options,
      ProgressListener listener) {
    this.connection = connection;
    this.runtime = runtime;
    this.options = options;
    this.listener = listener;
  }

  /**
   * Checks a pipeline without moving data.
   *
   * @throws SluiceException with every problem of the definition
   */
  public ResolvedPipeline validate(Pipeline pipeline) {
    try {
      return DefinitionResolver.resolve(
          connection, pipeline, runtime.bounded(options.parallelism()), options::refreshes);
    } catch (RuntimeException e) {
      throw CatalogErrors.unavailable("catalog '" + connection.config().name() + "'", e);
    }
  }

  /**
   * Runs the update.
   *
   * @return what it did, failures of single tables included
   * @throws SluiceException with every problem of the definition, before anything runs
   */
  public UpdateResult run(Pipeline pipeline) {
    return run(pipeline, resolved -> {});
  }

  /**
   * The same after a further check.
   *
   * @param check throws what is wrong, before anything runs
   */
  UpdateResult run(Pipeline pipeline, Consumer<ResolvedPipeline> check) {
    requireNoSavepoint(pipeline);
    ResolvedPipeline resolved = validate(pipeline);
    check.accept(resolved);
    List<TargetResult> results = new ArrayList<>();
    Map<String, List<Problem>> failures = new LinkedHashMap<>();
    List<String> skipped = new ArrayList<>();
    Map<TargetTable, Set<TargetTable>> upstream = pipeline.upstream();
    Set<TargetTable> behind = new HashSet<>();
    for (List<ResolvedTarget> level : resolved.levels()) {
      List<ResolvedTarget> taking = new ArrayList<>();
      for (ResolvedTarget target : level) {
        if (!options.takesPart(target.table())) {
          continue;
        }
        if (Collections.disjoint(upstream.get(target.table()), behind)) {
          taking.add(target);
        } else {
          behind.add(target.table());
          skipped.add(target.table().name().toString());
        }
      }
      runLevel(pipeline, taking, results, failures);
      taking.stream()
          .map(ResolvedTarget::table)
          .filter(table -> failures.containsKey(table.name().toString()))
          .forEach(behind::add);
    }
    List<String> notices = new ArrayList<>(resolved.notices());
    if (options.fullRefreshAll()) {
      pipeline.tables().stream()
          .filter(table -> !table.resetAllowed())
          .forEach(
              table ->
                  notices.add(
                      "table "
                          + table.name()
                          + " has 'pipelines.reset.allowed' = 'false' and was updated without"
                          + " being emptied"));
    }
    results.forEach(result -> notices.addAll(cutoverNotices(result)));
    return new UpdateResult(results, failures, skipped, notices);
  }

  /** Where to go on is in the tables; a savepoint that may be older or younger decides nothing. */
  private void requireNoSavepoint(Pipeline pipeline) {
    Configuration all = Configuration.fromMap(pipeline.settings());
    runtime
        .bounded(options.parallelism())
        .getConfiguration()
        .getOptional(StateRecoveryOptions.SAVEPOINT_PATH)
        .ifPresent(path -> all.set(StateRecoveryOptions.SAVEPOINT_PATH, path));
    all.getOptional(StateRecoveryOptions.SAVEPOINT_PATH)
        .ifPresent(
            path -> {
              throw new SluiceException(
                  ErrorCode.INVALID_CALL,
                  StateRecoveryOptions.SAVEPOINT_PATH.key()
                      + " (flink run -s) names '"
                      + path
                      + "', but runs go on from their tables, never from a savepoint",
                  "Leave it out: the ledgers of the tables have the positions, and the rows are the"
                      + " state");
            });
  }

  private static List<String> cutoverNotices(TargetResult result) {
    return result.flows().stream()
        .filter(flow -> flow.cutoverViolations() > 0)
        .map(flow -> RunProgress.cutover(flow.flow(), result.target(), flow.cutoverViolations()))
        .toList();
  }

  private void runLevel(
      Pipeline pipeline,
      List<ResolvedTarget> level,
      List<TargetResult> results,
      Map<String, List<Problem>> failures) {
    if (level.isEmpty()) {
      return;
    }
    ExecutorService threads =
        Executors.newFixedThreadPool(
            Math.min(level.size(), SIDE_BY_SIDE), task -> new Thread(task, "sluice-update"));
    try {
      Map<ResolvedTarget, Future<TargetResult>> running = new LinkedHashMap<>();
      for (ResolvedTarget target : level) {
        running.put(target, threads.submit(() -> update(pipeline, target).run()));
      }
      for (Map.Entry<ResolvedTarget, Future<TargetResult>> entry : running.entrySet()) {
        TargetTable table = entry.getKey().table();
        String name = table.name().toString();
        try {
          results.add(entry.getValue().get());
        } catch (ExecutionException e) {
          failures.put(
              name, placed(table, JobFailures.translate("update of " + name, e.getCause())));
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          failures.put(name, placed(table, JobFailures.translate("update of " + name, e)));
        }
      }
    } finally {
      threads.shutdownNow();
    }
  }

  /** What has no place of its own is at the statement of the table that could not be updated. */
  private static List<Problem> placed(TargetTable table, SluiceException failure) {
    return failure.problems().stream()
        .map(problem -> problem.location().isPresent() ? problem : problem.movedTo(table.at()))
        .toList();
  }

  private TargetUpdate update(Pipeline pipeline, ResolvedTarget target) {
    return new TargetUpdate(connection, runtime, options, pipeline, target, updateId, listener);
  }
}
