package io.sluice.sequencing;

import io.sluice.table.RowSplit;
import io.sluice.table.SplitPruning;
import io.sluice.table.Tidying;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.util.SerializedValue;
import org.apache.iceberg.Table;

/**
 * Collects the keys of an update and then tells the readers what to read. There is one of it: it
 * alone sees all splits.
 */
final class ReadPlanOperator extends AbstractStreamOperator<ReadOrder>
    implements OneInputStreamOperator<KeySet, ReadOrder>, BoundedOneInput {

  private static final long serialVersionUID = 1L;

  private final Table table;
  private final ExistingRowDecoder decoder;
  private final SerializedValue<List<RowSplit>> splits;
  private final Tidying tidying;
  private final int readers;

  private transient KeySet keys;

  ReadPlanOperator(
      Table table,
      ExistingRowDecoder decoder,
      List<RowSplit> splits,
      Tidying tidying,
      int readers) {
    this.table = table;
    this.decoder = decoder;
    this.splits = packed(splits);
    this.tidying = tidying;
    this.readers = readers;
  }

  /**
   * The job manager unpacks the operators of a job, in threads that outlive it. Iceberg's files
   * would leave something in them that keeps all classes of the job.
   */
  private static SerializedValue<List<RowSplit>> packed(List<RowSplit> splits) {
    try {
      return new SerializedValue<>(List.copyOf(splits));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void open() throws Exception {
    super.open();
    keys = new KeySet();
  }

  @Override
  public void processElement(StreamRecord<KeySet> element) {
    keys.addAll(element.getValue());
  }

  @Override
  public void endInput() throws Exception {
    if (keys.isEmpty()) {
      return;
    }
    List<RowSplit> all = splits.deserializeValue(getUserCodeClassloader());
    SplitPruning pruning =
        new SplitPruning(table, decoder.filter(new KeySetFilter(keys, decoder.layout())));
    for (ReadOrder order : new ReadPlanner(tidying, readers).orders(all, pruning::mayMatch, keys)) {
      output.collect(new StreamRecord<>(order));
    }
  }
}
