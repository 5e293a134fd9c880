package io.sluice.sequencing;

import io.sluice.history.Event;
import io.sluice.history.Version;
import io.sluice.sequencing.KeyedRecord.ExistingRow;
import io.sluice.sequencing.KeyedRecord.Remembered;
import org.apache.flink.table.data.binary.BinaryRowData;

/** Takes what an {@link EventApplier} changes of the rows and the remembered events of a key. */
interface KeyChanges {

  /** A row is new. */
  void insert(RowKey key, Version<BinaryRowData> row);

  /**
   * A row goes.
   *
   * @param row the very object that the applier was given
   */
  void delete(ExistingRow row);

  /** An event is to be remembered. */
  void remember(RowKey key, Event<BinaryRowData> event);

  /**
   * An event is remembered no more.
   *
   * @param event the very object that the applier was given
   */
  void forget(Remembered event);
}
