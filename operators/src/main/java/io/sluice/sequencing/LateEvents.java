package io.sluice.sequencing;

import io.sluice.history.Event;
import io.sluice.history.Floor;
import io.sluice.history.Sequence;
import io.sluice.history.Tie;
import io.sluice.sequencing.KeyedRecord.ExistingRow;
import io.sluice.sequencing.KeyedRecord.Remembered;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.apache.flink.table.data.binary.BinaryRowData;

/** Which events of an application came late, and whose a tie is. */
final class LateEvents {

  private LateEvents() {}

  /** The flow of the event that came with a tie; negative if it is not known. */
  static int flowOf(Tie<BinaryRowData> tie) {
    return tie.winner().origin().flow() >= 0
        ? tie.winner().origin().flow()
        : tie.loser().origin().flow();
  }

  /** An event is late below the greatest sequence of its key, on either axis, or the floor. */
  static void forEach(
      List<ExistingRow> rows,
      List<Remembered> stored,
      Floor floor,
      List<Event<BinaryRowData>> events,
      Consumer<Event<BinaryRowData>> late) {
    byte[] newest = floor.sequence().bytes();
    byte[] newestSystem = null;
    for (ExistingRow row : rows) {
      newest = greater(newest, greater(row.start(), row.end()));
      newestSystem = greater(newestSystem, greater(row.systemStart(), row.systemEnd()));
    }
    for (Remembered event : stored) {
      newest = greater(newest, event.sequence());
      newestSystem = greater(newestSystem, event.systemSequence());
    }
    for (Event<BinaryRowData> event : events) {
      if (isBelow(event.sequence(), newest) || isBelow(event.systemSequence(), newestSystem)) {
        late.accept(event);
      }
    }
  }

  private static boolean isBelow(Sequence sequence, byte[] limit) {
    return limit != null && Arrays.compareUnsigned(sequence.bytes(), limit) < 0;
  }

  private static byte[] greater(byte[] left, byte[] right) {
    if (left == null || right == null) {
      return left == null ? right : left;
    }
    return Arrays.compareUnsigned(left, right) >= 0 ? left : right;
  }
}
