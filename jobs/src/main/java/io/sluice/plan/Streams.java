package io.sluice.plan;

import java.util.List;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.transformations.PartitionTransformation;
import org.apache.flink.streaming.api.transformations.StreamExchangeMode;
import org.apache.flink.streaming.runtime.partitioner.RebalancePartitioner;

/** What the streams of an update need beyond Flink's own methods. */
final class Streams {

  private Streams() {}

  /** All of several streams. */
  static <T> DataStream<T> union(List<DataStream<T>> streams) {
    DataStream<T> all = streams.get(0);
    for (DataStream<T> more : streams.subList(1, streams.size())) {
      all = all.union(more);
    }
    return all;
  }

  /**
   * A stream that is complete before its reader starts, in jobs whose exchanges are pipelined. An
   * operator that reads one input to its end before it looks at the other needs it where both come
   * from the same records: what waits for the other input would stop the first one, for ever.
   */
  static <T> DataStream<T> blocking(DataStream<T> stream) {
    return new DataStream<>(
        stream.getExecutionEnvironment(),
        new PartitionTransformation<>(
            stream.getTransformation(), new RebalancePartitioner<>(), StreamExchangeMode.BATCH));
  }
}
