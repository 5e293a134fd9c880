package io.sluice.sequencing;

import io.sluice.history.Changes;
import io.sluice.history.Event;
import io.sluice.history.Floor;
import io.sluice.sequencing.KeyedRecord.ExistingRow;
import io.sluice.sequencing.KeyedRecord.Remembered;
import java.util.List;
import org.apache.flink.table.data.binary.BinaryRowData;

/** Counts what the application of events does (semantics 0.2, 0.5). */
interface ChangeCounts {

  /**
   * The events of one key were applied.
   *
   * @param rows what is known of the rows that the key had
   * @param stored what it remembered
   */
  void count(
      Changes<BinaryRowData> changes,
      Floor floor,
      List<ExistingRow> rows,
      List<Remembered> stored,
      List<Event<BinaryRowData>> events);

  /** Remembered events of a key were forgotten. */
  void collected(int events);
}
