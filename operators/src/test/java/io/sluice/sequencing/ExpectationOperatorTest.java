package io.sluice.sequencing;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.errors.SourceLocation;
import io.sluice.sequencing.EventLayout.Position;
import io.sluice.sequencing.Expectation.Action;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.flink.api.common.JobID;
import org.apache.flink.metrics.Counter;
import org.apache.flink.runtime.clusterframework.types.ResourceID;
import org.apache.flink.runtime.executiongraph.ExecutionGraphTestUtils;
import org.apache.flink.runtime.metrics.groups.TaskManagerMetricGroup;
import org.apache.flink.runtime.metrics.util.TestingMetricRegistry;
import org.apache.flink.runtime.operators.testutils.MockEnvironment;
import org.apache.flink.runtime.operators.testutils.MockEnvironmentBuilder;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.runtime.typeutils.InternalTypeInfo;
import org.apache.flink.table.types.logical.BigIntType;
import org.apache.flink.table.types.logical.IntType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.VarCharType;
import org.junit.jupiter.api.Test;

/** Which rows go on, what is counted and when it is handed over (semantics 0.11). */
class ExpectationOperatorTest {

  private static final SourceLocation AT = new SourceLocation("p.sql", 1, 2);
  private static final FlowSources SOURCES = new FlowSources("f", 0, List.of(), "byte");

  /** One visible column, then the place in the source. */
  private static final RowType COLUMNS =
      RowType.of(
          new LogicalType[] {new IntType(), VarCharType.STRING_TYPE, new BigIntType()},
          new String[] {"id", "source", "offset"});

  private final Map<String, Counter> metrics = new TreeMap<>();

  private OneInputStreamOperatorTestHarness<RowData, RowData> open(Action... actions)
      throws Exception {
    List<Expectation> expectations = new ArrayList<>();
    for (int i = 0; i < actions.length; i++) {
      expectations.add(new Expectation("e" + i, "id > " + i, actions[i], AT));
    }
    ExpectedRows rows =
        new ExpectedRows("t", 0, expectations, COLUMNS, 1, Position.NAMED, 1, 2, SOURCES);
    OneInputStreamOperatorTestHarness<RowData, RowData> harness =
        new OneInputStreamOperatorTestHarness<>(new ExpectationOperator(rows), environment());
    harness.setup(InternalTypeInfo.of(COLUMNS).toRowSerializer());
    harness.open();
    return harness;
  }

  private MockEnvironment environment() {
    TestingMetricRegistry registry =
        TestingMetricRegistry.builder()
            .setRegisterConsumer(
                (metric, name, group) -> {
                  String path = group.getLogicalScope(text -> text) + "." + name;
                  Map<String, String> variables = group.getAllVariables();
                  if (metric instanceof Counter counter && path.contains("expectation")) {
                    metrics.put(
                        variables.get("<flow>")
                            + " "
                            + variables.get("<dataset>")
                            + " "
                            + variables.get("<expectation>")
                            + " "
                            + name,
                        counter);
                  }
                })
            .build();
    return new MockEnvironmentBuilder()
        .setMetricGroup(
            TaskManagerMetricGroup.createTaskManagerMetricGroup(
                    registry, "localhost", ResourceID.generate())
                .addJob(new JobID(), "job")
                .addTask(ExecutionGraphTestUtils.createExecutionAttemptId(), "task"))
        .build();
  }

  private static RowData row(int id, Boolean... results) {
    GenericRowData row = new GenericRowData(3 + results.length);
    row.setField(0, id);
    row.setField(1, StringData.fromString("a.json"));
    row.setField(2, 10L * id);
    for (int i = 0; i < results.length; i++) {
      row.setField(3 + i, results[i]);
    }
    return row;
  }

  private static List<Integer> going(OneInputStreamOperatorTestHarness<RowData, RowData> harness) {
    return harness.extractOutputValues().stream().map(row -> row.getInt(0)).toList();
  }

  private static List<UpdateOutput.Expected> found(
      OneInputStreamOperatorTestHarness<RowData, RowData> harness) {
    var found = harness.getSideOutput(ExpectationOperator.FOUND);
    return found == null
        ? List.of()
        : found.stream()
            .map(StreamRecord::getValue)
            .map(UpdateOutput.Expected.class::cast)
            .toList();
  }

  private static List<String> counts(UpdateOutput.Expected found) {
    return found.counts().stream()
        .map(each -> each.expectation().name() + " " + each.passed() + " " + each.failed())
        .toList();
  }

  @Test
  void false_and_null_are_violations_and_a_dropped_row_cannot_fail_the_update() throws Exception {
    try (var harness = open(Action.FAIL, Action.DROP, Action.KEEP)) {
      harness.processElement(row(1, true, true, true), 0);
      harness.processElement(row(2, false, null, false), 0);
      harness.processElement(row(3, true, false, true), 0);
      harness.processElement(row(4, true, true, null), 0);
      harness.endInput();
      assertThat(going(harness)).containsExactly(1, 4);
      assertThat(harness.extractOutputValues())
          .allSatisfy(r -> assertThat(r.getArity()).isEqualTo(3));
      assertThat(found(harness)).singleElement();
      UpdateOutput.Expected found = found(harness).get(0);
      assertThat(found.dropped()).isEqualTo(2);
      assertThat(counts(found)).containsExactly("e0 2 0", "e1 2 2", "e2 2 2");
      assertThat(found.counts()).allSatisfy(each -> assertThat(each.samples()).isEmpty());
      assertThat(
              metrics.entrySet().stream()
                  .map(each -> each.getKey() + " " + each.getValue().getCount())
                  .collect(Collectors.toList()))
          .containsExactly(
              "f t e0 failed 0",
              "f t e0 passed 2",
              "f t e1 failed 2",
              "f t e1 passed 2",
              "f t e2 failed 2",
              "f t e2 passed 2");
    }
  }

  @Test
  void a_few_rows_that_fail_the_update_are_shown_with_their_places() throws Exception {
    try (var harness = open(Action.FAIL)) {
      for (int id = 0; id < 100; id++) {
        harness.processElement(row(id, id % 2 == 0), 0);
      }
      harness.endInput();
      ExpectationCount count = found(harness).get(0).counts().get(0);
      assertThat(count.passed()).isEqualTo(50);
      assertThat(count.failed()).isEqualTo(50);
      assertThat(count.samples())
          .hasSize(InvalidEventOperator.SAMPLES)
          .startsWith("a.json (byte 10): {id=1}", "a.json (byte 30): {id=3}");
    }
  }

  @Test
  void before_a_barrier_only_what_forbids_the_commit_is_handed_over() throws Exception {
    try (var harness = open(Action.FAIL, Action.DROP, Action.KEEP)) {
      harness.processElement(row(1, true, false, false), 0);
      harness.processElement(row(2, true, true, false), 0);
      harness.prepareSnapshotPreBarrier(1);
      assertThat(found(harness)).isEmpty();
      harness.processElement(row(3, null, true, true), 0);
      harness.prepareSnapshotPreBarrier(2);
      assertThat(found(harness)).singleElement();
      assertThat(counts(found(harness).get(0))).containsExactly("e0 1 1", "e1 2 1", "e2 1 2");
      harness.prepareSnapshotPreBarrier(3);
      assertThat(found(harness)).hasSize(1);
      harness.endInput();
      assertThat(counts(found(harness).get(1))).containsExactly("e0 0 0", "e1 0 0", "e2 0 0");
    }
  }
}
