package io.sluice.plan;

import io.sluice.sql.SourceReference;
import java.util.IdentityHashMap;
import java.util.Map;

/**
 * What a snapshot flow has beside its snapshot query.
 *
 * @param column the column of its version
 * @param sources the sources of its version query by reference; empty if it has none
 */
record ResolvedSnapshot(VersionColumn column, Map<SourceReference, ResolvedSource> sources) {

  /** A flow whose version is the time of taking. */
  static ResolvedSnapshot timed(VersionColumn column) {
    return new ResolvedSnapshot(column, new IdentityHashMap<>());
  }

  /** Whether the version depends on anything that may change while an update runs. */
  boolean readsSources() {
    return sources.values().stream()
        .anyMatch(
            source ->
                !(source.reference() instanceof SourceReference.FunctionReference function
                    && FunctionSources.isVersionFunction(function)));
  }
}
