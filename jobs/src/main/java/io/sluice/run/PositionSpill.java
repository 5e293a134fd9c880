package io.sluice.run;

import io.sluice.plan.FlowPosition;
import io.sluice.table.Companion;
import io.sluice.table.Ledger;
import io.sluice.table.RowChangeWriter;
import io.sluice.table.WriteOutcome;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Moves positions that are too long for a snapshot's summary into the companion: one row per file
 * read, appended and never rewritten. Once there, a source's files stay there.
 */
final class PositionSpill {

  /** Leaves room below the ledger's own limit for names and quotes. */
  private static final int LIMIT = Ledger.MAX_POSITIONS_LENGTH * 3 / 4;

  private final long update;
  private final int reserved;

  /**
   * @param update number of the update
   * @param reserved characters that other positions take in the same ledger
   */
  PositionSpill(long update, int reserved) {
    this.update = update;
    this.reserved = reserved;
  }

  /** The same positions, the longest ones without their files until all are short enough. */
  Map<String, FlowPosition> shorten(Map<String, FlowPosition> positions) {
    Map<String, FlowPosition> shortened = new LinkedHashMap<>(positions);
    while (length(shortened) > LIMIT - reserved) {
      Optional<String> longest =
          shortened.keySet().stream()
              .filter(flow -> shortened.get(flow).spillable())
              .max(Comparator.comparingInt(flow -> shortened.get(flow).toJson().length()));
      if (longest.isEmpty()) {
        break;
      }
      shortened.computeIfPresent(longest.get(), (flow, position) -> position.spilled());
    }
    return shortened;
  }

  private static int length(Map<String, FlowPosition> positions) {
    return positions.values().stream().mapToInt(position -> position.toJson().length()).sum();
  }

  /** Whether the companion lacks anything that the positions leave to it. */
  boolean hasRows(Map<String, FlowPosition> positions, Function<String, FlowPosition> before) {
    return positions.entrySet().stream()
        .anyMatch(e -> !e.getValue().rowsSince(before.apply(e.getKey())).isEmpty());
  }

  /** Writes what the companion lacks. */
  List<WriteOutcome> write(
      Companion companion,
      Map<String, FlowPosition> positions,
      Function<String, FlowPosition> before,
      String operationId) {
    try (RowChangeWriter writer =
        new RowChangeWriter(companion.table(), 0, 0, operationId + "-positions")) {
      positions.forEach(
          (flow, position) -> {
            for (String json : position.rowsSince(before.apply(flow))) {
              writer.insert(companion.fileRow(flow, json, update), 0);
            }
          });
      return writer.complete();
    }
  }
}
