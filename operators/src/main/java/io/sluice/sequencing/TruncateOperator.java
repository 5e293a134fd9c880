package io.sluice.sequencing;

import io.sluice.history.Sequence;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * The greatest truncate of a bounded stream of them, emitted once, at its end, if it is above the
 * floor of the last commit.
 */
public final class TruncateOperator extends AbstractStreamOperator<byte[]>
    implements OneInputStreamOperator<byte[], byte[]>, BoundedOneInput {

  private static final long serialVersionUID = 1L;

  private final Sequence floor;

  private transient Sequence greatest;

  /**
   * @param floor the floor as of the last commit
   */
  public TruncateOperator(Sequence floor) {
    this.floor = floor;
  }

  @Override
  public void open() throws Exception {
    super.open();
    greatest = floor;
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
    if (greatest.compareTo(floor) > 0) {
      output.collect(new StreamRecord<>(greatest.bytes()));
    }
  }
}
