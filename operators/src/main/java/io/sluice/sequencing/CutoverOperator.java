package io.sluice.sequencing;

import io.sluice.sequencing.CutoverFunction.Violation;
import io.sluice.sequencing.UpdateOutput.CutoverFound;
import io.sluice.sequencing.UpdateOutput.CutoverSample;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/** Sums up violations of the cut-over per flow, in one task and bounded memory. */
public final class CutoverOperator extends AbstractStreamOperator<UpdateOutput>
    implements OneInputStreamOperator<Violation, UpdateOutput>, BoundedOneInput {

  private static final long serialVersionUID = 1L;

  /** So many keys of a flow are shown. */
  public static final int SAMPLES = 10;

  private final TargetLayout layout;
  private transient Map<Integer, Sum> sums;

  public CutoverOperator(TargetLayout layout) {
    this.layout = layout;
  }

  private static final class Sum {
    private final TreeMap<RowKey, Violation> least = new TreeMap<>();
    private byte[] boundary = {};
    private long keys;
    private long events;

    void add(Violation violation) {
      keys++;
      events += violation.events();
      if (Arrays.compareUnsigned(violation.lastViolating(), boundary) > 0) {
        boundary = violation.lastViolating();
      }
      least.put(violation.key(), violation);
      if (least.size() > SAMPLES) {
        least.pollLastEntry();
      }
    }
  }

  @Override
  public void open() throws Exception {
    super.open();
    sums = new TreeMap<>();
  }

  @Override
  public void processElement(StreamRecord<Violation> element) {
    Violation violation = element.getValue();
    sums.computeIfAbsent(violation.flow(), flow -> new Sum()).add(violation);
  }

  @Override
  public void endInput() {
    sums.forEach(
        (flow, sum) ->
            output.collect(
                new StreamRecord<>(
                    new CutoverFound(
                        flow,
                        sum.keys,
                        sum.events,
                        sum.least.values().stream().map(this::sample).toList(),
                        layout.describeSequence(sum.boundary)))));
  }

  private CutoverSample sample(Violation violation) {
    return new CutoverSample(
        layout.describe(violation.key()),
        layout.describeSequence(violation.lastSeeded()),
        layout.describeSequence(violation.firstLive()));
  }
}
