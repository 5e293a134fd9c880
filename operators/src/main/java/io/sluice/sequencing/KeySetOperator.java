package io.sluice.sequencing;

import io.sluice.sequencing.KeyedRecord.NewEvent;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/** Collects the keys of a bounded stream of events and emits them once, at its end. */
public final class KeySetOperator extends AbstractStreamOperator<KeySet>
    implements OneInputStreamOperator<KeyedRecord, KeySet>, BoundedOneInput {

  private static final long serialVersionUID = 1L;

  private transient KeySet keys;

  @Override
  public void open() throws Exception {
    super.open();
    keys = new KeySet();
  }

  @Override
  public void processElement(StreamRecord<KeyedRecord> element) {
    if (element.getValue() instanceof NewEvent event) {
      keys.add(event.key(), event.sequence());
    }
  }

  @Override
  public void endInput() {
    output.collect(new StreamRecord<>(keys));
  }
}
