package io.sluice.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.run.Keeper;
import io.sluice.run.UpdateResult;
import io.sluice.run.Workbench;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The cases of semantics 20.1, 20.2 and 20.4 in continuous runs, read from growing folders. */
class ContinuousConformanceIT {

  @TempDir private Path folder;

  /** So many cases, each with two tables, share a run. */
  private static final int TOGETHER = 15;

  private static List<List<ConformanceCase>> groups(String resource) {
    List<ConformanceCase> cases = CaseText.load(resource);
    List<List<ConformanceCase>> groups = new ArrayList<>();
    for (int from = 0; from < cases.size(); from += TOGETHER) {
      groups.add(cases.subList(from, Math.min(cases.size(), from + TOGETHER)));
    }
    return groups;
  }

  private static List<List<ConformanceCase>> changes() {
    return groups("/conformance/auto-cdc.txt");
  }

  @ParameterizedTest
  @MethodSource("changes")
  void a_run_gives_the_exact_rows(List<ConformanceCase> cases) {
    try (Workbench bench = new Workbench(folder);
        Continuous continuous = new Continuous(cases, false)) {
      assertThat(new CaseRun(bench, cases, continuous).run()).isEmpty();
    }
  }

  @Test
  void runs_that_stop_after_each_update_give_them_too() {
    List<ConformanceCase> cases = changes().get(0);
    try (Workbench bench = new Workbench(folder);
        Continuous continuous = new Continuous(cases, true)) {
      assertThat(new CaseRun(bench, cases, continuous).run()).isEmpty();
    }
  }

  /** Keeps the tables, and waits until they have taken in what has arrived. */
  private static final class Continuous implements CaseRun.Intake, AutoCloseable {

    private final List<ConformanceCase> cases;
    private final boolean restarts;
    private Keeper keeper;

    Continuous(List<ConformanceCase> cases, boolean restarts) {
      this.cases = cases;
      this.restarts = restarts;
    }

    @Override
    public UpdateResult take(Workbench bench, String sql) {
      if (keeper == null) {
        keeper = bench.keep(sql, Map.of(), false);
      }
      for (ConformanceCase each : cases) {
        List<String> files = filesIn(bench.folder().resolve(each.feed()));
        for (int version : List.of(2, 3)) {
          keeper.hasRead(each.table(version), files);
        }
      }
      if (restarts) {
        close();
      }
      return new UpdateResult(List.of(), Map.of(), List.of(), List.of());
    }

    private static List<String> filesIn(Path folder) {
      try (Stream<Path> files = Files.list(folder)) {
        return files.map(file -> folder.getFileName() + "/" + file.getFileName()).toList();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public void close() {
      if (keeper != null) {
        keeper.close();
        keeper = null;
      }
    }
  }
}
