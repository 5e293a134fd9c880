package io.sluice.run;

import io.sluice.catalog.CatalogConnection;
import io.sluice.catalog.CatalogErrors;
import io.sluice.pipeline.Flow;
import io.sluice.pipeline.Pipeline;
import io.sluice.plan.CutoverJob;
import io.sluice.plan.ResolvedFlow;
import io.sluice.plan.ResolvedTarget;
import io.sluice.run.CutoverReport.FlowReport;
import io.sluice.sequencing.UpdateCounters;
import io.sluice.sequencing.UpdateOutput;
import io.sluice.sequencing.UpdateOutput.CutoverFound;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.flink.streaming.api.datastream.DataStream;

/**
 * Checks for every target with seeds and live flows whether each live event lies behind the last
 * seeded one of its key (semantics 0.15). Reads all that the live flows can read; writes nothing.
 */
public final class CutoverValidation {

  private final CatalogConnection connection;
  private final FlinkRuntime runtime;
  private final int parallelism;

  public CutoverValidation(CatalogConnection connection, FlinkRuntime runtime, int parallelism) {
    this.connection = connection;
    this.runtime = runtime;
    this.parallelism = parallelism;
  }

  /**
   * Checks a pipeline.
   *
   * @return a report for every target with seeds and live flows, in the order of the levels
   * @throws io.sluice.errors.SluiceException with every problem of the definition, or if a job
   *     fails
   */
  public List<CutoverReport> validate(Pipeline pipeline) {
    List<List<ResolvedTarget>> levels =
        new Update(
                connection, runtime, UpdateOptions.incremental(parallelism), ProgressListener.NONE)
            .validate(pipeline)
            .levels();
    return levels.stream()
        .flatMap(List::stream)
        .filter(CutoverJob::applies)
        .map(target -> validate(pipeline, target))
        .toList();
  }

  private CutoverReport validate(Pipeline pipeline, ResolvedTarget target) {
    String name = target.table().name().toString();
    try {
      DataStream<UpdateOutput> job =
          CutoverJob.build(connection, pipeline, target, runtime.bounded(parallelism));
      JobRunner.Outcome outcome =
          JobRunner.run(runtime, job, "cut-over of " + name, counters -> {}, outputs -> {});
      return report(target, outcome);
    } catch (RuntimeException e) {
      throw CatalogErrors.unavailable("table " + name, e);
    }
  }

  private static CutoverReport report(ResolvedTarget target, JobRunner.Outcome outcome) {
    InvalidEvents invalid = InvalidEvents.of(outcome.outputs());
    List<FlowReport> flows = new ArrayList<>();
    for (ResolvedFlow each : target.flows()) {
      if (each.flow().isLive()) {
        flows.add(report(each.flow(), outcome, invalid));
      }
    }
    return new CutoverReport(
        target.table().name().toString(),
        count(outcome.counters(), UpdateCounters.SEEDED_KEYS),
        CutoverJob.isUntold(target),
        flows);
  }

  private static FlowReport report(Flow flow, JobRunner.Outcome outcome, InvalidEvents invalid) {
    Optional<CutoverFound> found =
        outcome.outputs().stream()
            .filter(CutoverFound.class::isInstance)
            .map(CutoverFound.class::cast)
            .filter(each -> each.flow() == flow.order())
            .findFirst();
    return new FlowReport(
        flow.name(),
        count(outcome.counters(), UpdateCounters.liveKeysOf(flow.order())),
        found.map(CutoverFound::keys).orElse(0L),
        found.map(CutoverFound::events).orElse(0L),
        found.map(CutoverFound::boundary),
        found.map(CutoverFound::samples).orElse(List.of()),
        invalid.of(flow.name()));
  }

  private static long count(Map<String, Long> counters, String name) {
    return counters.getOrDefault(name, 0L);
  }
}
