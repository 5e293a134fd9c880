package io.sluice.plan;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.SluiceException;
import io.sluice.sequencing.InvalidEvent;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.util.Collector;

/** Fails at the first record that cannot be read: a version must not be found without it. */
final class RefuseFunction extends ProcessFunction<InvalidEvent, InvalidEvent> {

  private static final long serialVersionUID = 1L;

  @Override
  public void processElement(InvalidEvent event, Context context, Collector<InvalidEvent> out) {
    throw new SluiceException(
        ErrorCode.MALFORMED_RECORD,
        "flow '" + event.flow() + "': WITH VERSION reads a record that cannot be read, " + event,
        "Correct or remove the record");
  }
}
