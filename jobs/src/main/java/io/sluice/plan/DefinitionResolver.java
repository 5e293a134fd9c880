package io.sluice.plan;

import io.sluice.catalog.CatalogConnection;
import io.sluice.errors.ErrorCode;
import io.sluice.errors.Problem;
import io.sluice.errors.SluiceException;
import io.sluice.pipeline.Flow;
import io.sluice.pipeline.Pipeline;
import io.sluice.pipeline.TargetTable;
import io.sluice.sql.QualifiedName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.types.logical.RowType;

/**
 * Checks a pipeline against its sources and its catalog before anything runs, and reports all
 * problems in one error.
 */
public final class DefinitionResolver {

  private final CatalogConnection connection;
  private final Pipeline pipeline;
  private final Predicate<TargetTable> refreshed;
  private final FlinkSession session;
  private final TemporaryNames names = new TemporaryNames();
  private final Map<QualifiedName, RowType> columns = new HashMap<>();
  private final Set<QualifiedName> failed = new HashSet<>();
  private final List<Problem> problems = new ArrayList<>();
  private final List<String> notices = new ArrayList<>();

  private DefinitionResolver(
      CatalogConnection connection,
      Pipeline pipeline,
      Predicate<TargetTable> refreshed,
      FlinkSession session) {
    this.connection = connection;
    this.pipeline = pipeline;
    this.refreshed = refreshed;
    this.session = session;
  }

  /**
   * Resolves a pipeline.
   *
   * @param environment for planning only; nothing is executed
   * @param refreshed the tables of which everything is read again
   * @throws SluiceException with every problem found
   */
  public static ResolvedPipeline resolve(
      CatalogConnection connection,
      Pipeline pipeline,
      StreamExecutionEnvironment environment,
      Predicate<TargetTable> refreshed) {
    return new DefinitionResolver(
            connection, pipeline, refreshed, FlinkSession.open(environment, connection, pipeline))
        .resolve();
  }

  private ResolvedPipeline resolve() {
    List<List<ResolvedTarget>> levels = new ArrayList<>();
    for (List<TargetTable> level : pipeline.levels()) {
      List<ResolvedTarget> resolved = new ArrayList<>();
      for (TargetTable table : level) {
        if (pipeline.flowsInto(table).isEmpty()) {
          notices.add("table " + table.name() + " has no flow, so nothing is written into it");
          continue;
        }
        try {
          ResolvedTarget target = resolve(table);
          columns.put(table.name(), target.fullColumns());
          resolved.add(target);
        } catch (SluiceException e) {
          failed.add(table.name());
          e.problems().stream()
              .filter(this::isNoEcho)
              .map(problem -> placed(problem, table))
              .forEach(problems::add);
        }
      }
      levels.add(resolved);
    }
    if (!problems.isEmpty()) {
      throw new SluiceException(problems);
    }
    return new ResolvedPipeline(pipeline, levels, notices);
  }

  /** A table that reads one with problems does not find it; that is no problem of its own. */
  private boolean isNoEcho(Problem problem) {
    return problem.code() != ErrorCode.TABLE_OR_VIEW_NOT_FOUND
        || failed.stream().noneMatch(name -> problem.message().contains("'" + name.last() + "'"));
  }

  /** What is wrong with the definition of a table is at least at its statement. */
  private static Problem placed(Problem problem, TargetTable table) {
    boolean lost =
        problem.location().isEmpty() && problem.code().kind() == ErrorCode.Kind.DEFINITION;
    return lost ? problem.movedTo(table.at()) : problem;
  }

  private ResolvedTarget resolve(TargetTable table) {
    TargetState state = TargetState.load(connection, pipeline, table, refreshed.test(table));
    FlowHistory history = FlowHistory.of(pipeline, table, state, notices);
    FlowResolver flows = new FlowResolver(connection, session, pipeline, names, columns, notices);
    List<ResolvedFlow> resolved = new ArrayList<>();
    List<Problem> found = new ArrayList<>();
    for (Flow flow : pipeline.flowsInto(table)) {
      try {
        resolved.add(resolve(flow, history, flows));
      } catch (SluiceException e) {
        found.addAll(e.problems());
      }
    }
    if (!found.isEmpty()) {
      throw new SluiceException(found);
    }
    return TargetResolver.resolve(table, state, resolved, pipeline.unavailableValue().isPresent());
  }

  private ResolvedFlow resolve(Flow flow, FlowHistory history, FlowResolver flows) {
    if (history.hasRun(flow)) {
      if (history.changedSinceRun(flow)) {
        notices.add(
            flow.at()
                + ": flow '"
                + flow.name()
                + "' is ONCE and has run; its definition changed since and does not run again"
                + " without --full-refresh "
                + flow.target().last());
      }
      return ResolvedFlow.idle(flow);
    }
    return flows.resolve(flow, history);
  }
}
