package io.sluice.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.streaming.api.graph.StreamGraph;
import org.apache.flink.streaming.api.graph.StreamNode;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.junit.jupiter.api.Test;

class StableCodeTest {

  private static final int MANY_COLUMNS = 60;

  @Test
  void aLaterJobUsesTheClassesThatAnEarlierOneHasCompiled() {
    Set<Class<?>> first = operators();
    assertThat(first).as("code is long enough to be split").anyMatch(StableCodeTest::isSplit);
    assertThat(operators()).isEqualTo(first);
  }

  private static boolean isSplit(Class<?> operator) {
    return Arrays.stream(operator.getDeclaredMethods())
        .anyMatch(method -> method.getName().contains("split"));
  }

  private static Set<Class<?>> operators() {
    StreamExecutionEnvironment environment = StreamExecutionEnvironment.getExecutionEnvironment();
    StreamTableEnvironment tables =
        StreamTableEnvironment.create(environment, EnvironmentSettings.inBatchMode());
    tables.createTemporaryView("numbers", environment.fromData(1, 2, 3));
    String columns =
        IntStream.range(0, MANY_COLUMNS)
            .mapToObj(i -> "CONCAT(CAST(f0 AS STRING), '" + i + "') AS c" + i)
            .collect(Collectors.joining(", "));
    tables
        .toDataStream(tables.sqlQuery("SELECT " + columns + " FROM numbers"))
        .sinkTo(new DiscardingSink<>());
    StreamGraph job = environment.getStreamGraph();
    StableCode.useIn(job);
    return job.getStreamNodes().stream()
        .map(StreamNode::getOperatorFactory)
        .filter(StableCode.class::isInstance)
        .map(factory -> factory.getStreamOperatorClass(StableCodeTest.class.getClassLoader()))
        .collect(Collectors.toSet());
  }
}
