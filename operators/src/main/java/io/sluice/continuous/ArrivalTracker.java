package io.sluice.continuous;

import io.sluice.sequencing.JavaSerializer;
import io.sluice.sequencing.UpdateOutput;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.util.OutputTag;

/**
 * Stands directly behind a source, before any view or filter, and tells the committer with each
 * barrier what was handed out since the last one.
 *
 * @param <A> what the source hands out
 */
public final class ArrivalTracker<A extends Serializable> extends AbstractStreamOperator<A>
    implements OneInputStreamOperator<A, A> {

  private static final long serialVersionUID = 1L;

  /** Where the positions go. */
  public static final OutputTag<UpdateOutput> POSITIONS =
      new OutputTag<>("positions", JavaSerializer.typeOf(UpdateOutput.class));

  private final String flow;
  private final String source;
  private final Progress<A> progress;

  private transient List<A> seen;

  /**
   * What a ledger has to know of arrivals that were read.
   *
   * @param <A> an arrival
   */
  @FunctionalInterface
  public interface Progress<A> extends Serializable {
    Serializable of(List<A> read);
  }

  /**
   * @param flow name of the flow
   * @param source id of the source
   * @param progress makes what the committer gets
   */
  public ArrivalTracker(String flow, String source, Progress<A> progress) {
    this.flow = flow;
    this.source = source;
    this.progress = progress;
  }

  @Override
  public void open() throws Exception {
    super.open();
    seen = new ArrayList<>();
  }

  @Override
  public void processElement(StreamRecord<A> element) {
    seen.add(element.getValue());
    output.collect(element);
  }

  @Override
  public void prepareSnapshotPreBarrier(long checkpointId) {
    if (!seen.isEmpty()) {
      output.collect(
          POSITIONS,
          new StreamRecord<>(new UpdateOutput.Read(flow, source, progress.of(List.copyOf(seen)))));
      seen.clear();
    }
  }
}
