package io.sluice.run;

import io.sluice.sql.QualifiedName;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * What maintenance does.
 *
 * @param tables the targets to take care of; empty for all
 * @param snapshotsOlderThan age from which snapshots expire; empty for the rule of each table
 * @param orphansOlderThan age from which files that nothing needs are removed
 * @param threads groups of files that are rewritten at a time
 */
public record MaintenanceOptions(
    Set<QualifiedName> tables,
    Optional<Duration> snapshotsOlderThan,
    Duration orphansOlderThan,
    int threads) {

  /** Age from which orphans are removed where nothing else is said. */
  public static final Duration ORPHAN_AGE = Duration.ofDays(3);

  /** Files that are younger may belong to a commit on its way. */
  public static final Duration LEAST_ORPHAN_AGE = Duration.ofDays(1);

  public MaintenanceOptions {
    tables = Set.copyOf(tables);
    Objects.requireNonNull(snapshotsOlderThan, "snapshotsOlderThan");
    Objects.requireNonNull(orphansOlderThan, "orphansOlderThan");
  }
}
