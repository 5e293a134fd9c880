package io.sluice.continuous;

import io.sluice.kafka.TopicOffsets;
import io.sluice.sequencing.UpdateOutput;
import java.io.Serializable;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.table.data.RowData;

/**
 * As {@link ArrivalTracker}, behind the readers of a topic: tells the committer with each barrier
 * which offsets come next in the partitions of which messages have come.
 */
public final class TopicTracker extends AbstractStreamOperator<RowData>
    implements OneInputStreamOperator<RowData, RowData> {

  private static final long serialVersionUID = 1L;

  private final String flow;
  private final String source;
  private final String topicId;
  private final int partitionColumn;
  private final int offsetColumn;
  private final Progress progress;

  private transient Map<Integer, Long> next;

  /** What a ledger has to know of messages that were read. */
  @FunctionalInterface
  public interface Progress extends Serializable {
    Serializable of(TopicOffsets read);
  }

  /**
   * @param flow name of the flow
   * @param source id of the source
   * @param topicId Kafka's id of the topic
   * @param partitionColumn INT column of the rows
   * @param offsetColumn BIGINT column of the rows
   * @param progress makes what the committer gets
   */
  public TopicTracker(
      String flow,
      String source,
      String topicId,
      int partitionColumn,
      int offsetColumn,
      Progress progress) {
    this.flow = flow;
    this.source = source;
    this.topicId = topicId;
    this.partitionColumn = partitionColumn;
    this.offsetColumn = offsetColumn;
    this.progress = progress;
  }

  @Override
  public void open() throws Exception {
    super.open();
    next = new TreeMap<>();
  }

  @Override
  public void processElement(StreamRecord<RowData> element) {
    RowData row = element.getValue();
    next.put(row.getInt(partitionColumn), row.getLong(offsetColumn) + 1);
    output.collect(element);
  }

  @Override
  public void prepareSnapshotPreBarrier(long checkpointId) {
    if (!next.isEmpty()) {
      output.collect(
          ArrivalTracker.POSITIONS,
          new StreamRecord<>(
              new UpdateOutput.Read(flow, source, progress.of(TopicOffsets.of(topicId, next)))));
      next.clear();
    }
  }
}
