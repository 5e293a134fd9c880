package io.sluice.pipeline;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.Problem;
import io.sluice.sql.QualifiedName;
import io.sluice.sql.Query;
import io.sluice.sql.SourceReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A table that forbids a full refresh may stream only from tables that forbid it too: after one of
 * the other it could never go on (semantics section 19, G4). Only for pipelines without circles.
 */
final class ResetChecks {

  private final Pipeline pipeline;
  private final List<Problem> problems = new ArrayList<>();

  private ResetChecks(Pipeline pipeline) {
    this.pipeline = pipeline;
  }

  static List<Problem> check(Pipeline pipeline) {
    ResetChecks checks = new ResetChecks(pipeline);
    for (Flow flow : pipeline.flows()) {
      boolean kept =
          pipeline.table(flow.target()).map(table -> !table.resetAllowed()).orElse(false);
      if (kept && !flow.once() && flow.snapshot().isEmpty()) {
        checks.query(flow, flow.query(), flow.scope(), false);
      }
    }
    return checks.problems;
  }

  /**
   * @param streams whether it is a view behind STREAM, whose sources are read incrementally
   */
  private void query(Flow flow, Query query, NameScope scope, boolean streams) {
    for (SourceReference source : query.sources()) {
      if (!(source instanceof SourceReference.TableReference table)) {
        continue;
      }
      QualifiedName name = scope.full(table.name());
      Optional<View> view = pipeline.view(name);
      boolean incremental = streams || table.stream();
      if (view.isPresent()) {
        boolean passesOn = view.get().isPlain() && incremental;
        query(flow, view.get().query(), view.get().scope(), passesOn);
      } else if (incremental) {
        pipeline.table(name).filter(TargetTable::resetAllowed).ifPresent(read -> add(flow, read));
      }
    }
  }

  private void add(Flow flow, TargetTable read) {
    problems.add(
        Problem.at(
            flow.at(),
            ErrorCode.INVALID_RESETTABLE_DEPENDENCY,
            "flow '"
                + flow.name()
                + "' streams from "
                + read.name()
                + " into "
                + flow.target()
                + ", which has 'pipelines.reset.allowed' = 'false': after a full refresh of "
                + read.name()
                + " it could not go on",
            "Set 'pipelines.reset.allowed' = 'false' for " + read.name() + " too"));
  }
}
