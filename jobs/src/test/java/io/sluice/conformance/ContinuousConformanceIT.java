package io.sluice.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.kafka.Broker;
import io.sluice.run.Keeper;
import io.sluice.run.UpdateResult;
import io.sluice.run.Workbench;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The cases of semantics 20.1, 20.2 and 20.4 in continuous runs: events come through topics of a
 * real broker while the run goes on, a checkpoint lies between two updates, and after every second
 * one the run stops and another goes on.
 */
class ContinuousConformanceIT {

  private static final Broker KAFKA = Broker.shared();

  @TempDir private Path folder;

  /** So many cases share a run. */
  private static final int TOGETHER = 20;

  private static List<List<ConformanceCase>> groups() {
    List<ConformanceCase> cases = CaseText.load("/conformance/auto-cdc.txt");
    List<List<ConformanceCase>> groups = new ArrayList<>();
    for (int from = 0; from < cases.size(); from += TOGETHER) {
      groups.add(cases.subList(from, Math.min(cases.size(), from + TOGETHER)));
    }
    return groups;
  }

  @ParameterizedTest
  @MethodSource("groups")
  void runs_that_stop_and_begin_anew_give_the_exact_rows(List<ConformanceCase> cases) {
    try (Workbench bench = new Workbench(folder);
        Topics topics = new Topics(cases)) {
      assertThat(new CaseRun(bench, cases, topics).run()).isEmpty();
    }
  }

  /** A topic for each case; a run stands before the first event comes. */
  private static final class Topics implements CaseRun.Intake, AutoCloseable {

    private final List<ConformanceCase> cases;
    private final Map<ConformanceCase, String> topics = new HashMap<>();
    private final Map<ConformanceCase, Integer> sent = new HashMap<>();
    private Keeper keeper;
    private int updates;

    Topics(List<ConformanceCase> cases) {
      this.cases = cases;
      cases.forEach(each -> topics.put(each, KAFKA.topic(1)));
    }

    /** Versions take turns, which halves the tables. */
    @Override
    public List<Integer> versions(ConformanceCase each) {
      return List.of(cases.indexOf(each) % 2 + 2);
    }

    @Override
    public void feed(Workbench bench, ConformanceCase each, String name, List<String> lines) {
      KAFKA.sendAll(topics.get(each), lines.toArray(String[]::new));
      sent.merge(each, lines.size(), Integer::sum);
    }

    @Override
    public UpdateResult take(Workbench bench, String sql) {
      for (ConformanceCase each : cases) {
        String end = "\"offsets\":{\"0\":" + sent.get(each) + "}";
        versions(each).forEach(version -> keeper.hasRead(each.table(version), List.of(end)));
      }
      if (++updates % 2 == 0) {
        keeper.close();
        begin(bench, sql);
      }
      return new UpdateResult(List.of(), Map.of(), List.of(), List.of());
    }

    @Override
    public void begin(Workbench bench, String sql) {
      String reading = sql;
      for (ConformanceCase each : cases) {
        reading =
            reading.replace(
                "read_files('${dir}/" + each.feed() + "',",
                "read_kafka(bootstrapServers => '%s', topic => '%s',"
                    .formatted(KAFKA.servers(), topics.get(each)));
      }
      keeper = bench.keep(reading, Map.of(), false).started();
    }

    @Override
    public void close() {
      if (keeper != null) {
        keeper.close();
      }
    }
  }
}
