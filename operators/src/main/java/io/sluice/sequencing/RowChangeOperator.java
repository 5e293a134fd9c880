package io.sluice.sequencing;

import io.sluice.release.ClassRelease;
import io.sluice.sequencing.RowChange.Destination;
import io.sluice.table.RowChangeWriter;
import io.sluice.table.RowLocation;
import io.sluice.table.WriteOutcome;
import java.util.EnumMap;
import java.util.Map;
import org.apache.flink.api.common.accumulators.LongCounter;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.iceberg.Table;

/**
 * Writes the row changes of a job, chained to the sequencer (or to the query of an append flow),
 * and hands the outcome over at the end of the input, in a continuous job before each barrier. What
 * a failed subtask wrote is removed.
 */
public final class RowChangeOperator extends AbstractStreamOperator<UpdateOutput>
    implements OneInputStreamOperator<RowChange, UpdateOutput>, BoundedOneInput {

  private static final long serialVersionUID = 1L;

  private final Map<Destination, Table> tables;
  private final Map<Destination, RowOrder> orders;
  private final String operationId;

  private transient Map<Destination, RowChangeWriter> writers;
  private transient LongCounter written;

  /**
   * @param tables serializable copies of the tables that may change
   * @param orders how rows come into the column order of each of them
   * @param operationId identifies the update in the names of the files
   */
  public RowChangeOperator(
      Map<Destination, Table> tables, Map<Destination, RowOrder> orders, String operationId) {
    this.tables = new EnumMap<>(tables);
    this.orders = new EnumMap<>(orders);
    this.operationId = operationId;
  }

  @Override
  public void open() throws Exception {
    super.open();
    ClassRelease.register(getRuntimeContext());
    writers = new EnumMap<>(Destination.class);
    written = new LongCounter();
    getRuntimeContext()
        .addAccumulator(
            tables.containsKey(Destination.QUARANTINE)
                ? UpdateCounters.ROWS_QUARANTINED
                : UpdateCounters.ROWS_WRITTEN,
            written);
  }

  @Override
  public void processElement(StreamRecord<RowChange> element) {
    RowChange change = element.getValue();
    RowChangeWriter writer = writer(change.destination());
    if (change instanceof RowChange.Insert insert) {
      writer.insert(orders.get(change.destination()).apply(insert.row()), insert.group());
      if (change.destination() != Destination.MOVED) {
        written.add(1);
      }
    } else if (change instanceof RowChange.Delete delete) {
      writer.delete(new RowLocation(delete.file(), delete.position()));
    }
  }

  private RowChangeWriter writer(Destination destination) {
    RowChangeWriter writer = writers.get(destination);
    if (writer == null) {
      writer =
          new RowChangeWriter(
              tables.get(destination),
              getRuntimeContext().getTaskInfo().getIndexOfThisSubtask(),
              getRuntimeContext().getTaskInfo().getAttemptNumber(),
              destination == Destination.MOVED ? operationId + "-moved" : operationId);
      writers.put(destination, writer);
    }
    return writer;
  }

  /** In a continuous job each checkpoint has its own files. */
  @Override
  public void prepareSnapshotPreBarrier(long checkpointId) {
    handOver();
  }

  @Override
  public void endInput() {
    handOver();
  }

  private void handOver() {
    writers.forEach(
        (destination, writer) -> {
          for (WriteOutcome outcome : writer.complete()) {
            output.collect(new StreamRecord<>(new UpdateOutput.Written(destination, outcome)));
          }
        });
  }

  @Override
  public void close() throws Exception {
    if (writers != null) {
      writers.values().forEach(RowChangeWriter::close);
    }
    super.close();
  }
}
