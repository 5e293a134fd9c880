package io.sluice.api;

import io.sluice.errors.SourceLocation;
import io.sluice.pipeline.SnapshotFunction;
import io.sluice.pipeline.SnapshotVersions;
import io.sluice.sql.FlowBody;
import io.sluice.sql.Query;
import java.util.Optional;
import java.util.function.Function;

/**
 * A flow that applies snapshots: AUTO CDC FROM SNAPSHOT (semantics 2.6, 11.3). With {@code
 * from(..)} every update takes one snapshot of the source, whose version is the time of taking;
 * with {@link #fromSnapshots} a function gives snapshots and their versions.
 */
public final class SnapshotFlowDefinition extends KeyedFlowDefinition<SnapshotFlowDefinition> {

  private Optional<SnapshotFunction> function = Optional.empty();

  SnapshotFlowDefinition(String name) {
    super(name);
  }

  @Override
  SnapshotFlowDefinition self() {
    return this;
  }

  /**
   * Snapshots in the order of their versions. The function is asked with the latest version that
   * was applied, empty at first, until it gives none; each snapshot is one commit. It has to give a
   * first one. It may be asked the same more than once, and has to answer the same then.
   */
  @SuppressWarnings("unchecked") // the version comes back as what it was given
  public <V> SnapshotFlowDefinition fromSnapshots(
      Function<Optional<V>, Optional<Snapshot<V>>> next) {
    SourceLocation at = CallSite.here();
    function =
        Optional.of(
            latest ->
                next.apply(latest.map(version -> (V) version))
                    .map(
                        snapshot ->
                            new SnapshotFunction.Found(
                                Query.parse(snapshot.rows().toSql(), at), snapshot.version())));
    return this;
  }

  @Override
  FlowBody body(Declared into) {
    Query query =
        function.isPresent()
            ? Query.parse("VALUES (1)", at())
            : requiredReading().query(name(), at(), into);
    FlowBody body =
        new FlowBody.SnapshotCdc(
            at(),
            isOnce(),
            query,
            false,
            Optional.empty(),
            requiredKeys(),
            storedAs(),
            trackHistory());
    into.versions(
        body,
        function
            .<SnapshotVersions>map(SnapshotVersions.ByFunction::new)
            .orElse(new SnapshotVersions.EveryUpdate()));
    return body;
  }
}
