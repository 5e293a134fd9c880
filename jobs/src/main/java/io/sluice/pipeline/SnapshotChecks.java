package io.sluice.pipeline;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.Problem;
import io.sluice.history.StorageType;
import io.sluice.sql.Identifier;
import java.util.List;

/** The rules of a target with a snapshot flow, alone or beside change feeds (semantics 11, 12). */
final class SnapshotChecks {

  private final TargetTable table;
  private final boolean unavailableValue;
  private final List<Problem> problems;

  private SnapshotChecks(TargetTable table, boolean unavailableValue, List<Problem> problems) {
    this.table = table;
    this.unavailableValue = unavailableValue;
    this.problems = problems;
  }

  /**
   * Checks one target.
   *
   * @param snapshots its snapshot flows
   * @param feeds its other AUTO CDC flows, which agree among themselves
   * @param unavailableValue whether sources write something for values that they do not send
   * @param problems where problems are added
   */
  static void check(
      TargetTable table,
      List<Flow> snapshots,
      List<Flow> feeds,
      boolean unavailableValue,
      List<Problem> problems) {
    SnapshotChecks checks = new SnapshotChecks(table, unavailableValue, problems);
    snapshots.stream().skip(1).forEach(more -> checks.onlyOne(snapshots.get(0), more));
    if (!feeds.isEmpty()) {
      snapshots.forEach(snapshot -> checks.together(snapshot, feeds.get(0)));
      snapshots.stream().findFirst().ifPresent(snapshot -> feeds.forEach(checks::whole));
    }
  }

  private void onlyOne(Flow first, Flow more) {
    problems.add(
        Problem.at(
            more.at(),
            ErrorCode.MULTIPLE_QUERIES_FOR_TABLE,
            "flow '"
                + more.name()
                + "' is the second snapshot flow of "
                + table.name()
                + ", after '"
                + first.name()
                + "'",
            "Keep one of them: a snapshot states the whole table, so there cannot be two"));
  }

  /** A snapshot states whole rows, so the events beside it have to. */
  private void whole(Flow feed) {
    if (feed.cdc().orElseThrow().isPartial() || unavailableValue) {
      problems.add(
          Problem.at(
              feed.at(),
              ErrorCode.INTEROP_IGNORE_NULL_UNSUPPORTED,
              "flow '"
                  + feed.name()
                  + "' writes partial updates into "
                  + table.name()
                  + ", which has a snapshot flow",
              "Leave out IGNORE NULL UPDATES, COLUMNS TO UPDATE and sluice.unavailable-value, or give the snapshots a table"
                  + " of their own"));
    }
  }

  private void together(Flow snapshot, Flow feed) {
    CdcDefinition stating = snapshot.cdc().orElseThrow();
    CdcDefinition feeding = feed.cdc().orElseThrow();
    if (stating.type() != StorageType.SCD1 || feeding.type() != StorageType.SCD1) {
      problems.add(
          Problem.at(
              snapshot.at(),
              ErrorCode.INTEROP_SCD_TYPE_NOT_SUPPORTED,
              "the snapshot flow '"
                  + snapshot.name()
                  + "' and the AUTO CDC flow '"
                  + feed.name()
                  + "' of "
                  + table.name()
                  + " are "
                  + snapshot.kind()
                  + " and "
                  + feed.kind(),
              "Store both AS SCD TYPE 1, or give each flow a table of its own"));
    }
    List<String> keys = stating.keys().stream().map(Identifier::text).toList();
    List<String> otherKeys = feeding.keys().stream().map(Identifier::text).toList();
    boolean same = keys.size() == otherKeys.size();
    for (int i = 0; same && i < keys.size(); i++) {
      same = keys.get(i).equalsIgnoreCase(otherKeys.get(i));
    }
    if (!same) {
      problems.add(
          Problem.at(
              snapshot.at(),
              ErrorCode.INTEROP_KEYS_MISMATCH,
              "the snapshot flow '"
                  + snapshot.name()
                  + "' of "
                  + table.name()
                  + " has keys "
                  + keys
                  + ", the AUTO CDC flow '"
                  + feed.name()
                  + "' has keys "
                  + otherKeys,
              "Name the same keys in the same order in all flows of the table"));
    }
  }
}
