package io.sluice.sequencing;

import io.sluice.sequencing.RowChange.Destination;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.TimestampData;
import org.apache.flink.util.Collector;

/** Makes rows of the quarantine of records that could not be applied (semantics 0.3). */
public final class QuarantineFunction extends ProcessFunction<InvalidEvent, RowChange> {

  private static final long serialVersionUID = 1L;

  private final long atMicros;
  private final long update;
  private final String lineage;
  private final String commit;

  /**
   * @param atMicros time of the update, microseconds since 1970
   * @param update number of the update, counted per target
   * @param lineage lineage of the ledger that the update will commit
   * @param commit id under which it will be committed
   */
  public QuarantineFunction(long atMicros, long update, String lineage, String commit) {
    this.atMicros = atMicros;
    this.update = update;
    this.lineage = lineage;
    this.commit = commit;
  }

  @Override
  public void processElement(InvalidEvent event, Context context, Collector<RowChange> out) {
    out.collect(
        new RowChange.Insert(
            Destination.QUARANTINE, row(event, atMicros, update, lineage, commit), 0));
  }

  /** The row of a record, in the columns of the quarantine. */
  public static RowData row(
      InvalidEvent event, long atMicros, long update, String lineage, String commit) {
    return GenericRowData.of(
        StringData.fromString(event.flow()),
        StringData.fromString(event.reason()),
        StringData.fromString(event.position()),
        StringData.fromString(event.json()),
        TimestampData.fromEpochMillis(
            Math.floorDiv(atMicros, 1000L), (int) Math.floorMod(atMicros, 1000L) * 1000),
        update,
        StringData.fromString(lineage),
        StringData.fromString(commit));
  }
}
