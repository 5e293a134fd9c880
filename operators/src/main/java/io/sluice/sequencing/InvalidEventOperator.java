package io.sluice.sequencing;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.metrics.Counter;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/** Counts invalid events per flow and keeps the first few of each, in bounded memory. */
public final class InvalidEventOperator extends AbstractStreamOperator<UpdateOutput>
    implements OneInputStreamOperator<InvalidEvent, UpdateOutput>, BoundedOneInput {

  private static final long serialVersionUID = 1L;

  /** So many offenders of a flow are shown. */
  public static final int SAMPLES = 5;

  private final int shown;

  private transient Map<String, List<InvalidEvent>> samples;
  private transient Map<String, Long> counts;
  private transient Map<String, Counter> metrics;

  public InvalidEventOperator() {
    this(SAMPLES);
  }

  /**
   * @param shown so many records of a flow are kept, at each barrier and at the end
   */
  public InvalidEventOperator(int shown) {
    this.shown = shown;
  }

  @Override
  public void open() throws Exception {
    super.open();
    samples = new LinkedHashMap<>();
    counts = new LinkedHashMap<>();
    metrics = new HashMap<>();
  }

  @Override
  public void processElement(StreamRecord<InvalidEvent> element) {
    InvalidEvent event = element.getValue();
    counts.merge(event.flow(), 1L, Long::sum);
    metrics
        .computeIfAbsent(
            event.flow(), flow -> getMetricGroup().addGroup("flow", flow).counter("invalid"))
        .inc();
    List<InvalidEvent> kept = samples.computeIfAbsent(event.flow(), flow -> new ArrayList<>());
    if (kept.size() < shown) {
      kept.add(event);
    }
  }

  /** In a continuous job the committer gets them with each checkpoint. */
  @Override
  public void prepareSnapshotPreBarrier(long checkpointId) {
    handOver();
  }

  @Override
  public void endInput() {
    handOver();
  }

  private void handOver() {
    counts.forEach(
        (flow, count) ->
            output.collect(
                new StreamRecord<>(new UpdateOutput.Invalid(flow, count, samples.get(flow)))));
    counts.clear();
    samples.clear();
  }
}
