package io.sluice.sequencing;

import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/** Collects the keys of a bounded stream of events and emits them once, at its end. */
public final class KeySetOperator extends AbstractStreamOperator<KeySet>
    implements OneInputStreamOperator<PackedRecord, KeySet>, BoundedOneInput {

  private static final long serialVersionUID = 1L;

  private transient KeySet keys;
  private transient RecordCodec codec;

  @Override
  public void open() throws Exception {
    super.open();
    keys = new KeySet();
    codec = new RecordCodec(0);
  }

  @Override
  public void processElement(StreamRecord<PackedRecord> element) {
    codec.addEventTo(keys, element.getValue());
  }

  @Override
  public void endInput() {
    output.collect(new StreamRecord<>(keys));
  }
}
