package io.sluice.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.run.Workbench;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The cases of semantics 20.6 for snapshots alone, through SQL, JSON files and several updates. */
class SnapshotConformanceIT {

  @Test
  void tables_of_both_format_versions_have_the_exact_rows_after_every_update(@TempDir Path folder) {
    List<ConformanceCase> cases = CaseText.load("/conformance/snapshots.txt");
    try (Workbench bench = new Workbench(folder)) {
      assertThat(new CaseRun(bench, cases).run()).isEmpty();
    }
  }
}
