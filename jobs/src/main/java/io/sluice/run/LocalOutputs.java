package io.sluice.run;

import io.sluice.sequencing.UpdateOutput;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * Outputs of tasks that run in this process: handed over in memory. Flink's own collecting asks the
 * job manager for them ten times a second, which is long for a small update.
 */
final class LocalOutputs implements JobOutputs {

  private static final Map<String, Queue<UpdateOutput>> QUEUES = new ConcurrentHashMap<>();

  private final String id = UUID.randomUUID().toString();
  private final Queue<UpdateOutput> queue = new ConcurrentLinkedQueue<>();

  private LocalOutputs() {
    QUEUES.put(id, queue);
  }

  /** Completes a job that is not yet running. */
  static LocalOutputs of(DataStream<UpdateOutput> outputs) {
    LocalOutputs local = new LocalOutputs();
    outputs.transform("hand over", Types.VOID, new HandOver(local.id));
    return local;
  }

  @Override
  public void await(JobClient client, List<UpdateOutput> collected) throws Exception {
    try {
      client.getJobExecutionResult().get();
    } finally {
      collected.addAll(queue);
    }
  }

  @Override
  public void close() {
    QUEUES.remove(id);
  }

  private static final class HandOver extends AbstractStreamOperator<Void>
      implements OneInputStreamOperator<UpdateOutput, Void> {

    private static final long serialVersionUID = 1L;

    private final String id;

    HandOver(String id) {
      this.id = id;
    }

    @Override
    public void processElement(StreamRecord<UpdateOutput> element) {
      Queue<UpdateOutput> queue = QUEUES.get(id);
      if (queue != null) {
        queue.add(element.getValue());
      }
    }
  }
}
