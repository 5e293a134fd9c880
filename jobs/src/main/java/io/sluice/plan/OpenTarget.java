package io.sluice.plan;

import io.sluice.history.Sequence;
import io.sluice.sequencing.Collection;
import io.sluice.sequencing.FlowSources;
import io.sluice.sequencing.OrderedColumn;
import io.sluice.sequencing.SequencerPlan;
import io.sluice.sequencing.TargetLayout;
import io.sluice.table.CommitId;
import io.sluice.table.Companion;
import io.sluice.table.LocatedRows;
import io.sluice.table.Quarantine;
import io.sluice.table.RowSplit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.iceberg.Table;

/**
 * A target that is open for one step: the table exists, has all columns, and what the step has to
 * read of it is planned.
 *
 * @param table the table as of the planned snapshot
 * @param companion its companion; empty for a target of append flows that never needed one
 * @param quarantine where records go that cannot be applied; empty if there is no such table
 * @param snapshot the planned snapshot; empty if there is nothing to read
 * @param targetSplits data files of the target, empty for append flows
 * @param companionSplits data files of the companion with remembered events
 * @param operationId identifies the step in file names
 * @param appliedAtMicros when its events are applied, microseconds since 1970
 * @param update number of the update
 * @param lineage lineage of the ledger that the step commits
 * @param commit id under which the step is committed
 * @param collection what of the remembered events may be forgotten (semantics 0.5, 0.16)
 * @param floor the floor as of the last commit (semantics 0.8, 0.9)
 * @param stated the greatest version of a snapshot as of the last commit; the lowest sequence
 *     without any
 */
public record OpenTarget(
    Table table,
    Optional<Companion> companion,
    Optional<Quarantine> quarantine,
    OptionalLong snapshot,
    List<RowSplit> targetSplits,
    List<RowSplit> companionSplits,
    String operationId,
    long appliedAtMicros,
    long update,
    String lineage,
    CommitId commit,
    Collection collection,
    Sequence floor,
    Sequence stated) {

  public OpenTarget {
    targetSplits = List.copyOf(targetSplits);
    companionSplits = List.copyOf(companionSplits);
  }

  /**
   * What the keyed operator has to know of it.
   *
   * @param sources what each flow reads
   * @param failOnTies whether a tie is an error
   */
  SequencerPlan plan(List<FlowSources> sources, boolean failOnTies) {
    return new SequencerPlan(
        sources,
        targetFiles(),
        companionFiles(),
        failOnTies,
        appliedAtMicros,
        update,
        collection,
        floor,
        stated);
  }

  /** Locations of the target's data files, by number. */
  List<String> targetFiles() {
    return locations(targetSplits);
  }

  /** Locations of the companion's data files, by number. */
  List<String> companionFiles() {
    return locations(companionSplits);
  }

  private static List<String> locations(List<RowSplit> splits) {
    return splits.stream().map(split -> split.file().location()).distinct().toList();
  }

  /** The parts of the target that hold rows, with the statistics that let readers skip them. */
  static List<RowSplit> splitsOf(Table table, OptionalLong snapshot, TargetLayout layout) {
    if (snapshot.isEmpty()) {
      return List.of();
    }
    List<String> columns = new ArrayList<>();
    columns.add(layout.keyColumns().get(0).name());
    layout.closingColumns().stream()
        .filter(column -> layout.sequenceOf(column).isScalar())
        .forEach(columns::add);
    if (layout.sequence().isScalar() && layout.generatedColumns().contains(TargetLayout.SEQUENCE)) {
      columns.add(TargetLayout.SEQUENCE);
    }
    return LocatedRows.plan(table, snapshot.getAsLong(), columns);
  }

  /** The parts of the companion that hold remembered events. */
  static List<RowSplit> splitsOf(Companion companion, TargetLayout layout) {
    if (companion.snapshot().isEmpty()) {
      return List.of();
    }
    return eventSplits(companion.table(), companion.snapshot().getAsLong(), layout);
  }

  /** The same as of a snapshot of the companion. */
  static List<RowSplit> eventSplits(Table companion, long snapshot, TargetLayout layout) {
    OrderedColumn key = layout.keyColumns().get(0);
    return LocatedRows.plan(
            companion, snapshot, List.of(key.name(), Companion.SEQUENCE, Companion.APPLIED_AT))
        .stream()
        .filter(split -> !Companion.FILE.equals(split.file().partition().get(0, String.class)))
        .toList();
  }
}
