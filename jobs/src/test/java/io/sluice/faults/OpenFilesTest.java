package io.sluice.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sluice.run.Workbench;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process that runs update after update does not collect open files. */
class OpenFilesTest {

  private static final Path OPEN = Path.of("/proc/self/fd");

  private static final String SQL =
      """
      CREATE STREAMING TABLE people;
      CREATE FLOW changes AS AUTO CDC INTO people
      FROM STREAM read_files('${dir}/feed', format => 'json',
        schema => 'id INT, town STRING, n BIGINT', maxFilesPerTrigger => '1')
      KEYS (id) SEQUENCE BY n STORED AS SCD TYPE 2;
      """;

  @Test
  void steps_and_updates_leave_no_file_open(@TempDir Path folder) throws IOException {
    assumeTrue(Files.isDirectory(OPEN), "open files can be counted");
    try (Workbench bench = new Workbench(folder)) {
      bench.write("feed/0.json", "{\"id\":1,\"town\":\"a\",\"n\":0}");
      assertThat(bench.update(SQL).failures()).isEmpty();
      long before = openBelow(folder);
      for (int i = 1; i < 4; i++) {
        bench.write(
            "feed/%d.json".formatted(i), "{\"id\":1,\"town\":\"a%d\",\"n\":%d}".formatted(i, i));
      }
      assertThat(bench.update(SQL).targets().get(0).steps()).isEqualTo(3);
      assertThat(openBelow(folder)).isEqualTo(before);
    }
    assertThat(openBelow(folder)).isZero();
  }

  private static long openBelow(Path folder) throws IOException {
    try (Stream<Path> descriptors = Files.list(OPEN)) {
      return descriptors.filter(each -> target(each).startsWith(folder)).count();
    }
  }

  private static Path target(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor);
    } catch (IOException e) {
      return descriptor;
    }
  }
}
