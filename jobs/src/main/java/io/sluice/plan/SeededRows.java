package io.sluice.plan;

import io.sluice.sequencing.ExistingRowDecoder;
import io.sluice.sequencing.ExistingRowsFunction;
import io.sluice.sequencing.OrderedColumn;
import io.sluice.sequencing.TargetLayout;
import io.sluice.table.Companion;
import io.sluice.table.Ledger;
import io.sluice.table.LocatedRows;
import io.sluice.table.RowSplit;
import io.sluice.table.SeedTags;
import io.sluice.table.SeedTags.Seed;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.iceberg.SerializableTable;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;

/**
 * Reads what the seeds gave a target: its rows and remembered events as of the tagged commits.
 *
 * @param splits what to read
 * @param reader reads the keys of a key set
 */
record SeededRows(List<RowSplit> splits, ExistingRowsFunction reader) {

  SeededRows {
    splits = List.copyOf(splits);
  }

  /** The readings of all seeds that tags keep; none where there was nothing. */
  static List<SeededRows> of(Table table, Optional<Companion> companion, TargetLayout layout) {
    List<SeededRows> readings = new ArrayList<>();
    List<Seed> seeds = SeedTags.of(table);
    for (int i = 0; i < seeds.size(); i++) {
      Seed seed = seeds.get(i);
      add(table, companion, layout, i, false, seed.after(), readings);
      if (seed.before().isPresent()) {
        add(table, companion, layout, i, true, seed.before().getAsLong(), readings);
      }
    }
    return readings;
  }

  private static void add(
      Table table,
      Optional<Companion> companion,
      TargetLayout layout,
      int seed,
      boolean before,
      long snapshot,
      List<SeededRows> readings) {
    List<String> statistics = new ArrayList<>();
    OrderedColumn key = layout.keyColumns().get(0);
    statistics.add(key.name());
    if (layout.sequence().isScalar()) {
      statistics.addAll(layout.generatedColumns());
    }
    add(
        table,
        LocatedRows.plan(table, snapshot, statistics),
        ExistingRowDecoder.ofSeededTarget(layout, seed, before),
        readings);
    Snapshot seeded = table.snapshot(snapshot);
    String named = seeded == null ? null : seeded.summary().get(Ledger.COMPANION);
    if (named != null && companion.isPresent()) {
      add(
          companion.get().table(),
          OpenTarget.eventSplits(companion.get().table(), Long.parseLong(named), layout),
          ExistingRowDecoder.ofSeededCompanion(layout, seed, before),
          readings);
    }
  }

  private static void add(
      Table table, List<RowSplit> splits, ExistingRowDecoder decoder, List<SeededRows> readings) {
    if (!splits.isEmpty()) {
      List<String> files =
          splits.stream().map(split -> split.file().location()).distinct().toList();
      readings.add(
          new SeededRows(
              splits, new ExistingRowsFunction(SerializableTable.copyOf(table), decoder, files)));
    }
  }
}
