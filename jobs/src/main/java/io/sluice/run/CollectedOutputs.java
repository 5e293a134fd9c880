package io.sluice.run;

import io.sluice.sequencing.UpdateOutput;
import java.util.List;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.util.CloseableIterator;

/** Outputs of tasks that may run anywhere, collected by Flink. */
final class CollectedOutputs implements JobOutputs {

  private final CloseableIterator<UpdateOutput> iterator;

  private CollectedOutputs(CloseableIterator<UpdateOutput> iterator) {
    this.iterator = iterator;
  }

  /** Completes a job that is not yet running. */
  static CollectedOutputs of(DataStream<UpdateOutput> outputs) {
    return new CollectedOutputs(outputs.collectAsync());
  }

  @Override
  public void await(JobClient client, List<UpdateOutput> collected) {
    while (iterator.hasNext()) {
      collected.add(iterator.next());
    }
  }

  @Override
  public void close() throws Exception {
    iterator.close();
  }
}
