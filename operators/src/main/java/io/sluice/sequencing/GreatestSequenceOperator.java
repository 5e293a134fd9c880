package io.sluice.sequencing;

import io.sluice.history.Sequence;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * The greatest of a bounded stream of sequences (order-preserving bytes), emitted once, at its end,
 * if it is above a given one.
 */
public final class GreatestSequenceOperator extends AbstractStreamOperator<byte[]>
    implements OneInputStreamOperator<byte[], byte[]>, BoundedOneInput {

  private static final long serialVersionUID = 1L;

  private final Sequence above;

  private transient Sequence greatest;

  /**
   * @param above nothing up to this one is emitted
   */
  public GreatestSequenceOperator(Sequence above) {
    this.above = above;
  }

  @Override
  public void open() throws Exception {
    super.open();
    greatest = above;
  }

  @Override
  public void processElement(StreamRecord<byte[]> element) {
    Sequence sequence = Sequence.of(element.getValue());
    if (sequence.compareTo(greatest) > 0) {
      greatest = sequence;
    }
  }

  @Override
  public void endInput() {
    if (greatest.compareTo(above) > 0) {
      output.collect(new StreamRecord<>(greatest.bytes()));
    }
  }
}
