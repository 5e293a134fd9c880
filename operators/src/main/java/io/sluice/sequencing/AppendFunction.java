package io.sluice.sequencing;

import io.sluice.sequencing.RowChange.Destination;
import org.apache.flink.api.common.accumulators.LongCounter;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.table.data.RowData;
import org.apache.flink.util.Collector;

/** Makes an insert of every row of an append flow; its rows are the target's rows already. */
public final class AppendFunction extends ProcessFunction<RowData, RowChange> {

  private static final long serialVersionUID = 1L;

  private final int flow;
  private transient LongCounter events;

  /**
   * @param flow declaration order of the flow
   */
  public AppendFunction(int flow) {
    this.flow = flow;
  }

  @Override
  public void open(OpenContext context) {
    events = new LongCounter();
    getRuntimeContext().addAccumulator(UpdateCounters.eventsOf(flow), events);
  }

  @Override
  public void processElement(RowData row, Context context, Collector<RowChange> out) {
    events.add(1);
    out.collect(new RowChange.Insert(Destination.TARGET, row, 0));
  }
}
