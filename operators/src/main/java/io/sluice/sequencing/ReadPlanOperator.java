package io.sluice.sequencing;

import io.sluice.table.RowSplit;
import io.sluice.table.SplitPruning;
import io.sluice.table.Tidying;
import java.util.List;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
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
  private final List<RowSplit> splits;
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
    this.splits = List.copyOf(splits);
    this.tidying = tidying;
    this.readers = readers;
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
  public void endInput() {
    if (keys.isEmpty()) {
      return;
    }
    SplitPruning pruning =
        new SplitPruning(table, decoder.filter(new KeySetFilter(keys, decoder.layout())));
    for (ReadOrder order :
        new ReadPlanner(tidying, readers).orders(splits, pruning::mayMatch, keys)) {
      output.collect(new StreamRecord<>(order));
    }
  }
}
