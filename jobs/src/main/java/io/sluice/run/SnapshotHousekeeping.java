package io.sluice.run;

import io.sluice.plan.SourceReaders;
import io.sluice.table.Companion;
import io.sluice.table.Ledger;
import io.sluice.table.Quarantine;
import io.sluice.table.SnapshotExpiry;
import io.sluice.table.SnapshotExpiry.Rule;
import io.sluice.table.TargetTables;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.TableIdentifier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Expires the snapshots of a target, its companion and its quarantine. */
final class SnapshotHousekeeping {

  private static final Logger LOG = LoggerFactory.getLogger(SnapshotHousekeeping.class);

  private final Catalog catalog;
  private final TableIdentifier target;
  private final Function<Table, Rule> rule;

  /**
   * @param rule what stays, by the properties of the target; companion and quarantine go by the
   *     same
   */
  SnapshotHousekeeping(Catalog catalog, TableIdentifier target, Function<Table, Rule> rule) {
    this.catalog = catalog;
    this.target = target;
    this.rule = rule;
  }

  /** Expires what nobody needs; how many snapshots of each table that exists. */
  Map<TableIdentifier, Integer> expire() {
    Map<TableIdentifier, Integer> expired = new LinkedHashMap<>();
    Optional<Table> table = TargetTables.open(catalog, target);
    if (table.isEmpty()) {
      return expired;
    }
    Rule stays = rule.apply(table.get());
    expired.put(
        target,
        SnapshotExpiry.expire(
            table.get(), stays, SourceReaders.positions(catalog, table.get(), target)));
    Optional<Ledger> ledger = Ledger.read(table.get()).map(Ledger.Found::ledger);
    if (ledger.isPresent()) {
      Companion.open(catalog, target, ledger.get())
          .ifPresent(
              companion -> {
                removeOldTags(companion, table.get(), ledger.get());
                expired.put(
                    Companion.identifier(target),
                    beside(companion.table(), stays, ledger.get().companion()));
              });
      Quarantine.open(catalog, target)
          .ifPresent(
              quarantine ->
                  expired.put(
                      Quarantine.identifier(target),
                      beside(quarantine.table(), stays, ledger.get().quarantine())));
    }
    return expired;
  }

  /** Tags of snapshots that only expired snapshots of the target named. */
  private void removeOldTags(Companion companion, Table table, Ledger ledger) {
    try {
      companion.finished(table, ledger);
    } catch (RuntimeException e) {
      LOG.warn("Old tags of the companion of {} stay for now", target, e);
    }
  }

  private static int beside(Table table, Rule stays, OptionalLong named) {
    return SnapshotExpiry.expire(
        table, stays, named.isPresent() ? List.of(named.getAsLong()) : List.of());
  }
}
