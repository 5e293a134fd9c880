package io.sluice.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.run.Keeper;
import io.sluice.run.Workbench;
import io.sluice.table.Ledger;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.iceberg.exceptions.NoSuchTableException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A continuous run that is killed by the operating system while it reads a large file. */
class MidFileKillIT {

  private static final int ROWS = 200_000;
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  @TempDir private Path folder;

  @Test
  void a_file_that_was_read_in_part_is_read_again_as_a_whole() throws IOException {
    String sql =
        """
        CREATE STREAMING TABLE lines TBLPROPERTIES ('write.target-file-size-bytes' = '20000')
        AS SELECT id FROM STREAM read_files('${dir}/feed', format => 'json', schema => 'id INT');
        """;
    try (Workbench bench = new Workbench(folder)) {
      bench.write("test.sql", sql);
      bench.write("feed/1.json", line(0));
      Path large =
          bench.write(
              "large.json",
              IntStream.rangeClosed(1, ROWS).mapToObj(MidFileKillIT::line).toArray(String[]::new));
      try (SluiceProcess process =
          SluiceProcess.start(
              folder,
              Map.of("SLUICE_WAREHOUSE", folder.resolve("warehouse").toString()),
              "run",
              "--continuous",
              "test.sql",
              "--set",
              "dir=" + folder,
              "--set",
              "sluice.discovery-interval=50 ms")) {
        await(process, () -> isKept(bench));
        int before = files(bench);
        Files.move(large, folder.resolve("feed/2.json"));
        await(process, () -> files(bench) > before);
        process.kill();
      }
      assertThat(bench.rows("lines")).as("nothing of the file is committed").hasSize(1);
      assertThat(files(bench)).as("parts of it are written").isGreaterThan(1);
      try (Keeper keeper = bench.keep(sql, Map.of(), true)) {
        keeper.hasRead("lines", java.util.List.of("/2.json"));
      }
      assertThat(bench.rows("lines").stream().map(row -> row.get("id")))
          .hasSize(ROWS + 1)
          .doesNotHaveDuplicates();
    }
  }

  private static String line(int id) {
    return "{\"id\":" + id + "}";
  }

  private int files(Workbench bench) {
    return DataFiles.below(Path.of(bench.table("lines").location())).size();
  }

  private static boolean isKept(Workbench bench) {
    try {
      return Ledger.read(bench.table("lines"))
          .flatMap(found -> found.ledger().extra("continuous"))
          .isPresent();
    } catch (NoSuchTableException e) {
      return false;
    }
  }

  private static void await(SluiceProcess process, java.util.concurrent.Callable<Boolean> what) {
    Awaitility.await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(20))
        .failFast(() -> assertThat(process.endsWithin(0)).as(process.output()).isFalse())
        .until(what);
  }
}
