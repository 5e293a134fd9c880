package io.sluice.sequencing;

import io.sluice.sequencing.EventLayout.Position;
import io.sluice.sequencing.Expectation.Action;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.utils.ProjectedRowData;
import org.apache.flink.util.OutputTag;

/**
 * Counts which rows satisfy the expectations of a table or view and leaves out those that must not
 * go on (semantics 0.11). A row that is left out was never sent, so it cannot fail the update: FAIL
 * is asked of the others only. What it found goes to {@link #FOUND}: at the end of a bounded job
 * all counts, before a barrier only violations that forbid the commit.
 */
public final class ExpectationOperator extends AbstractStreamOperator<RowData>
    implements OneInputStreamOperator<RowData, RowData>, BoundedOneInput {

  private static final long serialVersionUID = 1L;

  /** Where the counts go. */
  public static final OutputTag<UpdateOutput> FOUND =
      new OutputTag<>("expectations", JavaSerializer.typeOf(UpdateOutput.class));

  static final String PASSED = "passed";
  static final String FAILED = "failed";

  private final ExpectedRows rows;

  private transient Action[] actions;
  private transient ProjectedRowData kept;
  private transient long[] passed;
  private transient long[] failed;
  private transient List<List<String>> samples;
  private transient long dropped;
  private transient boolean violated;
  private transient Counter[] passedTotals;
  private transient Counter[] failedTotals;

  public ExpectationOperator(ExpectedRows rows) {
    this.rows = rows;
  }

  @Override
  public void open() throws Exception {
    super.open();
    int count = rows.expectations().size();
    kept = ProjectedRowData.from(IntStream.range(0, rows.columns().getFieldCount()).toArray());
    actions = rows.expectations().stream().map(Expectation::action).toArray(Action[]::new);
    passed = new long[count];
    failed = new long[count];
    samples = new ArrayList<>();
    passedTotals = new Counter[count];
    failedTotals = new Counter[count];
    for (int i = 0; i < count; i++) {
      samples.add(new ArrayList<>());
      MetricGroup group =
          getMetricGroup()
              .addGroup("flow", rows.sources().flow())
              .addGroup("dataset", rows.dataset())
              .addGroup("expectation", rows.expectations().get(i).name());
      passedTotals[i] = group.counter(PASSED);
      failedTotals[i] = group.counter(FAILED);
    }
  }

  @Override
  public void processElement(StreamRecord<RowData> element) {
    RowData row = element.getValue();
    boolean isDropped = false;
    for (int i = 0; i < actions.length; i++) {
      if (actions[i] != Action.FAIL && !meets(row, i)) {
        isDropped |= actions[i] == Action.DROP;
      }
    }
    if (isDropped) {
      dropped++;
      return;
    }
    for (int i = 0; i < actions.length; i++) {
      if (actions[i] == Action.FAIL && !meets(row, i)) {
        violated = true;
        if (samples.get(i).size() < InvalidEventOperator.SAMPLES) {
          samples.get(i).add(describe(row));
        }
      }
    }
    output.collect(element.replace(kept.replaceRow(row)));
  }

  /** Counts the row; a NULL result is a violation (semantics 0.11). */
  private boolean meets(RowData row, int expectation) {
    int column = rows.resultColumn(expectation);
    boolean meets = !row.isNullAt(column) && row.getBoolean(column);
    if (meets) {
      passed[expectation]++;
      passedTotals[expectation].inc();
    } else {
      failed[expectation]++;
      failedTotals[expectation].inc();
    }
    return meets;
  }

  private String describe(RowData row) {
    String text = RowText.of(rows.shown(), row);
    return rows.position() == Position.NONE ? text : placeOf(row) + ": " + text;
  }

  private String placeOf(RowData row) {
    int source = rows.sourceColumn();
    long offset = row.isNullAt(rows.offsetColumn()) ? -1 : row.getLong(rows.offsetColumn());
    if (rows.position() == Position.NAMED) {
      return rows.sources().describe(row.getString(source).toString(), offset);
    }
    return rows.sources().describe(row.isNullAt(source) ? -1 : row.getInt(source), offset);
  }

  /** In a continuous job the committer learns of violations before it commits. */
  @Override
  public void prepareSnapshotPreBarrier(long checkpointId) {
    if (violated) {
      handOver();
    }
  }

  @Override
  public void endInput() {
    handOver();
  }

  private void handOver() {
    List<ExpectationCount> counts = new ArrayList<>();
    for (int i = 0; i < passed.length; i++) {
      counts.add(
          new ExpectationCount(rows.expectations().get(i), passed[i], failed[i], samples.get(i)));
      samples.get(i).clear();
    }
    output.collect(
        FOUND,
        new StreamRecord<>(
            new UpdateOutput.Expected(
                rows.sources().flow(), rows.dataset(), rows.number(), dropped, counts)));
    Arrays.fill(passed, 0);
    Arrays.fill(failed, 0);
    dropped = 0;
    violated = false;
  }
}
