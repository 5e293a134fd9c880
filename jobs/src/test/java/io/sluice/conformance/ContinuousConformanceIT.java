package io.sluice.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.run.Keeper;
import io.sluice.run.UpdateResult;
import io.sluice.run.Workbench;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The cases of semantics 20.1, 20.2 and 20.4 in continuous runs, read from growing folders. */
class ContinuousConformanceIT {

  @Test
  void a_run_gives_the_exact_rows_of_change_feeds(@TempDir Path folder) {
    List<ConformanceCase> cases = CaseText.load("/conformance/auto-cdc.txt");
    try (Workbench bench = new Workbench(folder);
        Continuous continuous = new Continuous(cases, false)) {
      assertThat(new CaseRun(bench, cases, continuous).run()).isEmpty();
    }
  }

  @Test
  void runs_that_stop_after_each_update_give_them_too(@TempDir Path folder) {
    List<ConformanceCase> cases = CaseText.load("/conformance/auto-cdc.txt");
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
