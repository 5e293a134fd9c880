package io.sluice.run;

import io.sluice.catalog.CatalogConnection;
import io.sluice.errors.Problem;
import io.sluice.errors.SluiceException;
import io.sluice.pipeline.Pipeline;
import io.sluice.pipeline.TargetTable;
import io.sluice.plan.TargetState;
import io.sluice.table.Companion;
import io.sluice.table.FileRewrite;
import io.sluice.table.Ledger;
import io.sluice.table.ManifestRewrite;
import io.sluice.table.OrphanFiles;
import io.sluice.table.Quarantine;
import io.sluice.table.SnapshotExpiry;
import io.sluice.table.SnapshotExpiry.Rule;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.TableIdentifier;

/**
 * Takes care of the tables of a pipeline: rewrites small files and files with many deleted rows,
 * expires snapshots, removes files that nothing needs. It needs nobody to stop: updates and
 * continuous runs go on meanwhile, and killing it does no harm.
 */
public final class Maintenance {

  /** So often files are looked at again that others changed meanwhile. */
  private static final int PASSES = 3;

  private final CatalogConnection connection;
  private final MaintenanceOptions options;

  public Maintenance(CatalogConnection connection, MaintenanceOptions options) {
    this.connection = connection;
    this.options = options;
  }

  /**
   * Does it, table by table.
   *
   * @return what was done, failures of single tables included
   * @throws SluiceException TABLE_NOT_MANAGED if a table belongs to somebody else, before anything
   *     is done
   */
  public List<MaintainedTable> run(Pipeline pipeline) {
    List<TargetState> states = new ArrayList<>();
    for (TargetTable target : pipeline.tables()) {
      if (options.tables().isEmpty() || options.tables().contains(target.name())) {
        states.add(TargetState.load(connection, pipeline, target, false));
      }
    }
    List<MaintainedTable> results = new ArrayList<>();
    for (TargetState state : states) {
      if (state.table().isPresent() && !state.adopting()) {
        results.addAll(maintain(state));
      }
    }
    return results;
  }

  private List<MaintainedTable> maintain(TargetState state) {
    Map<TableIdentifier, Work> works = new LinkedHashMap<>();
    TableIdentifier name = state.identifier();
    works.put(name, new Work(name, state.table().orElseThrow()));
    Optional<Ledger> ledger = Ledger.read(state.table().get()).map(Ledger.Found::ledger);
    ledger
        .flatMap(found -> Companion.open(connection.catalog(), name, found))
        .ifPresent(
            companion -> {
              TableIdentifier own = Companion.identifier(name);
              works.put(own, new Work(own, companion.table()));
            });
    Quarantine.open(connection.catalog(), name)
        .ifPresent(
            quarantine -> {
              TableIdentifier own = Quarantine.identifier(name);
              works.put(own, new Work(own, quarantine.table()));
            });
    works.values().forEach(work -> work.doing(work::rewrite));
    works.get(name).doing(() -> expire(name, works));
    works.values().forEach(work -> work.doing(work::removeOrphans));
    return works.values().stream().map(Work::result).toList();
  }

  private void expire(TableIdentifier target, Map<TableIdentifier, Work> works) {
    new SnapshotHousekeeping(connection.catalog(), target, this::rule)
        .expire()
        .forEach(
            (table, count) ->
                // A table that has come since then has nothing to expire.
                Optional.ofNullable(works.get(table)).ifPresent(work -> work.expired = count));
  }

  private Rule rule(Table table) {
    Rule own = Rule.ICEBERG.of(table);
    return options.snapshotsOlderThan().map(own::withMaxAge).orElse(own);
  }

  /** One table and what was done with it. */
  private final class Work {

    private final TableIdentifier name;
    private final Table table;
    private final MaintainedTable.Size before;
    private final List<String> notices = new ArrayList<>();
    private final List<Problem> problems = new ArrayList<>();
    private int expired;
    private OrphanFiles.Removed orphans = new OrphanFiles.Removed(0, 0);
    private long nanos;

    Work(TableIdentifier name, Table table) {
      this.name = name;
      this.table = table;
      this.before = MaintainedTable.Size.of(table);
    }

    /** What fails is told and leaves the other tables to be done. */
    void doing(Runnable part) {
      long begin = System.nanoTime();
      try {
        part.run();
      } catch (RuntimeException e) {
        problems.addAll(JobFailures.translate("maintenance of " + name, e).problems());
      } finally {
        nanos += System.nanoTime() - begin;
      }
    }

    void rewrite() {
      if (!FileRewrite.isExact(table)) {
        notices.add(
            "files of "
                + name
                + " are not rewritten: it has columns of type time, or of a type that Flink does"
                + " not know");
        return;
      }
      FileRewrite files = new FileRewrite();
      boolean done = false;
      for (int pass = 1; pass <= PASSES && !done; pass++) {
        done = files.rewrite(table, options.threads()).groupsLeft() == 0;
      }
      boolean manifests = false;
      for (int pass = 1; pass <= PASSES && !manifests; pass++) {
        manifests = ManifestRewrite.rewrite(table);
      }
      if (!done || !manifests) {
        notices.add(
            "some files of "
                + name
                + " changed again and again and stay as they are until the next time");
      }
    }

    void removeOrphans() {
      if (!SnapshotExpiry.isAllowed(table)) {
        notices.add(
            "snapshots and orphans of " + name + " stay: the table has 'gc.enabled' = 'false'");
      } else if (!OrphanFiles.canBeListed(table)) {
        notices.add("orphans of " + name + " stay: its storage cannot list files");
      } else {
        orphans = OrphanFiles.remove(table, options.orphansOlderThan());
      }
    }

    MaintainedTable result() {
      table.refresh();
      return new MaintainedTable(
          name.toString(),
          before,
          MaintainedTable.Size.of(table),
          expired,
          orphans,
          nanos / 1e9,
          notices,
          problems);
    }
  }
}
