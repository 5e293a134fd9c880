package io.sluice.plan;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.Problem;
import io.sluice.errors.SluiceException;
import java.util.ArrayList;
import java.util.List;

/**
 * The flows of a target in a continuous run. Those that run once have run before it; tables that
 * snapshots keep are updated from time to time, all others by the one unbounded job.
 */
public final class ContinuousFlows {

  private ContinuousFlows() {}

  /** The flows of a target that go on: all but those that run once. */
  public static List<ResolvedFlow> of(ResolvedTarget target) {
    return target.flows().stream().filter(flow -> !flow.flow().once()).toList();
  }

  /** Whether snapshots keep the target. */
  public static boolean areSnapshots(ResolvedTarget target) {
    return of(target).stream().anyMatch(flow -> flow.flow().snapshot().isPresent());
  }

  /**
   * Checks that a continuous run can keep every target of a pipeline.
   *
   * @throws SluiceException with each flow that it cannot have: INTEROP_CONTINUOUS_NOT_SUPPORTED,
   *     NOT_SUPPORTED_YET
   */
  public static void check(ResolvedPipeline pipeline) {
    List<Problem> problems = new ArrayList<>();
    pipeline.levels().stream().flatMap(List::stream).forEach(target -> check(target, problems));
    if (!problems.isEmpty()) {
      throw new SluiceException(problems);
    }
  }

  private static void check(ResolvedTarget target, List<Problem> problems) {
    boolean snapshots = areSnapshots(target);
    for (ResolvedFlow flow : of(target)) {
      if (flow.flow().snapshot().isPresent()) {
        continue;
      }
      if (snapshots) {
        problems.add(
            Problem.at(
                flow.flow().at(),
                ErrorCode.INTEROP_CONTINUOUS_NOT_SUPPORTED,
                "table "
                    + target.table().name()
                    + " has a FROM SNAPSHOT flow and the flow '"
                    + flow.flow().name()
                    + "', which only triggered updates can bring together",
                "Run the pipeline without --continuous, or let the snapshot flow run ONCE"));
        continue;
      }
      flow.distinctSources().stream()
          .filter(source -> !isPossible(source))
          .forEach(source -> problems.add(readWhole(flow, source)));
    }
  }

  /** Files and topics are only followed; tables can also be read whole, when the job starts. */
  static boolean isPossible(ResolvedSource source) {
    return source.streaming()
        || source instanceof ResolvedSource.CatalogTable
        || source instanceof ResolvedSource.FlinkTable;
  }

  static Problem readWhole(ResolvedFlow flow, ResolvedSource source) {
    return Problem.at(
        source.reference().at(),
        ErrorCode.NOT_SUPPORTED_YET,
        "flow '" + flow.flow().name() + "' reads a source whole, which a continuous run cannot",
        "Read it with STREAM, or run the pipeline without --continuous");
  }
}
