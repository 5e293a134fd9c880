package io.sluice.history;

import io.sluice.history.InvalidHistoryException.Reason;
import java.util.List;

/**
 * What a complete snapshot changes in one key (semantics 11.1 and 0.9). A snapshot states the
 * values or the absence of every key at its version. It is one event per key, but one that needs no
 * log: versions only rise, so nothing older than the newest one is ever looked at again.
 */
public final class SnapshotDifference {

  private SnapshotDifference() {}

  /**
   * What is known of a key before the snapshot.
   *
   * @param rows SCD 1: its row; SCD 2: its open row; one at most
   * @param remembered SCD 1: the greatest sequence that is remembered of it beside the row; {@link
   *     Sequence#LOWEST} if nothing is
   * @param floor SCD 1: the target's floor as of the last commit
   */
  public record Before<V>(List<Version<V>> rows, Sequence remembered, Sequence floor) {
    public Before {
      rows = List.copyOf(rows);
    }
  }

  /**
   * The rows that go and come. A row that the snapshot confirms stays as it is. A newer event of a
   * change feed, or one with the very sequence of the version, decides against the snapshot.
   *
   * @param stated the key's values in the snapshot; null where the snapshot lacks the key
   * @param version the snapshot's version
   * @throws InvalidHistoryException for more than one current row, or an open row that starts at or
   *     after the version: other writers made it
   */
  public static <V> Changes<V> of(
      StorageType type, Values<V> values, Before<V> before, V stated, Sequence version)
      throws InvalidHistoryException {
    Version<V> row = onlyRow(before.rows());
    return switch (type) {
      case SCD1 -> ofLatest(values, before, row, stated, version);
      case SCD2 -> ofVersions(values, row, stated, version);
    };
  }

  private static <V> Version<V> onlyRow(List<Version<V>> rows) throws InvalidHistoryException {
    if (rows.size() > 1) {
      throw new InvalidHistoryException(Reason.MORE_THAN_ONE_ROW, rows.get(1), rows.get(0));
    }
    if (rows.isEmpty()) {
      return null;
    }
    if (rows.get(0).start() == null) {
      throw new InvalidHistoryException(Reason.NULL_START, rows.get(0), null);
    }
    return rows.get(0);
  }

  private static <V> Changes<V> ofLatest(
      Values<V> values, Before<V> before, Version<V> row, V stated, Sequence version) {
    boolean stale = version.compareTo(before.floor()) < 0;
    boolean decided = before.remembered().compareTo(version) >= 0;
    if (row != null) {
      decided |= row.start().compareTo(version) >= 0 || before.floor().compareTo(version) >= 0;
    }
    boolean confirmed =
        stated == null ? row == null : row != null && values.same(row.values(), stated);
    if (stale || decided || confirmed) {
      return changes(List.of(), List.of());
    }
    return changes(
        row == null ? List.of() : List.of(row),
        stated == null ? List.of() : List.of(new Version<>(version, null, stated)));
  }

  private static <V> Changes<V> ofVersions(
      Values<V> values, Version<V> row, V stated, Sequence version) throws InvalidHistoryException {
    if (row == null) {
      return changes(
          List.of(), stated == null ? List.of() : List.of(new Version<>(version, null, stated)));
    }
    if (row.start().compareTo(version) >= 0) {
      throw new InvalidHistoryException(Reason.NOT_BEFORE_VERSION, row, null);
    }
    if (stated != null && values.same(row.values(), stated)) {
      return changes(List.of(), List.of());
    }
    if (stated != null && values.sameTracked(row.values(), stated)) {
      return changes(List.of(row), List.of(new Version<>(row.start(), null, stated)));
    }
    Version<V> closed = new Version<>(row.start(), version, row.values());
    return changes(
        List.of(row),
        stated == null ? List.of(closed) : List.of(closed, new Version<>(version, null, stated)));
  }

  private static <V> Changes<V> changes(List<Version<V>> removed, List<Version<V>> added) {
    return new Changes<>(removed, added, 0, 0, List.of());
  }
}
