package io.sluice.plan;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.Problem;
import io.sluice.errors.SluiceException;
import io.sluice.history.InvalidSequenceException;
import io.sluice.pipeline.Flow;
import io.sluice.pipeline.SnapshotFunction;
import io.sluice.pipeline.SnapshotVersions;
import io.sluice.sql.SourceReference;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.flink.table.data.GenericRowData;

/**
 * A snapshot that the function of a flow gave (semantics 11.3).
 *
 * @param flow the flow, reading this snapshot
 * @param version its version
 */
record FunctionSnapshot(Flow flow, SnapshotVersion version) {

  /**
   * A snapshot with its sources.
   *
   * @param flow the flow, reading this snapshot
   * @param sources its sources by reference
   * @param snapshot what the flow has beside its query
   */
  record Resolved(
      Flow flow, Map<SourceReference, ResolvedSource> sources, ResolvedSnapshot snapshot) {}

  /**
   * Asks the function for the next snapshot.
   *
   * @param last the version that was committed last
   * @throws SluiceException FIRST_SNAPSHOT_EMPTY if there never was one and is none,
   *     INVALID_SNAPSHOT_VERSION_TYPE, or UPDATE_FAILED if the function throws
   */
  static Optional<FunctionSnapshot> next(Flow flow, Optional<SnapshotVersion> last) {
    SnapshotFunction function =
        ((SnapshotVersions.ByFunction) flow.snapshot().orElseThrow()).function();
    Optional<SnapshotFunction.Found> found;
    try {
      found = function.next(last.map(SnapshotVersion::toJava));
    } catch (SluiceException e) {
      throw e;
    } catch (RuntimeException e) {
      throw new SluiceException(
          List.of(
              Problem.at(
                  flow.at(),
                  ErrorCode.UPDATE_FAILED,
                  "the function of flow '" + flow.name() + "' fails: " + e,
                  "Correct the function that gives its snapshots")),
          e);
    }
    if (found.isEmpty() && last.isEmpty()) {
      throw problem(
          flow,
          ErrorCode.FIRST_SNAPSHOT_EMPTY,
          "its function gives no snapshot, and none was applied before",
          "Let it give one when it is asked without a latest version");
    }
    return found.map(
        snapshot ->
            new FunctionSnapshot(
                flow.withQuery(snapshot.query()), version(flow, snapshot.version())));
  }

  private static SnapshotVersion version(Flow flow, Object value) {
    Optional<JavaVersion> version = JavaVersion.of(value);
    if (version.isEmpty()) {
      throw problem(
          flow,
          ErrorCode.INVALID_SNAPSHOT_VERSION_TYPE,
          "a version of " + value.getClass() + " cannot be used",
          "Use an Integer, Long, String, LocalDate, LocalDateTime or Instant");
    }
    try {
      return SnapshotVersion.of(
          new VersionColumn(Optional.empty(), version.get().type()),
          GenericRowData.of(version.get().internal()));
    } catch (InvalidSequenceException e) {
      throw new IllegalStateException("a version of the API is not NULL", e);
    }
  }

  /** Checks that versions have one type until a full refresh. */
  FunctionSnapshot requireSuccessorOf(Optional<SnapshotVersion> last) {
    if (last.isPresent() && !last.get().column().goesOnWith(version.column())) {
      throw problem(
          flow,
          ErrorCode.AUTO_CDC_FROM_SNAPSHOT_VERSION_SCHEMA_CHANGED,
          "the version was " + last.get().column() + " and is " + version.column() + " now",
          "Give versions of the type as before, or run with --full-refresh "
              + flow.target().last());
    }
    return this;
  }

  /** Finds what the snapshot reads. */
  Resolved resolve(SourceResolver sources) {
    return new Resolved(
        flow,
        sources.resolveWhole(flow, flow.query(), Map.of()),
        ResolvedSnapshot.timed(version.column()));
  }

  private static SluiceException problem(Flow flow, ErrorCode code, String message, String remedy) {
    return new SluiceException(
        Problem.at(flow.at(), code, "flow '" + flow.name() + "': " + message, remedy));
  }
}
