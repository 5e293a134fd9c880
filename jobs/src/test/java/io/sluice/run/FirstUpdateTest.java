package io.sluice.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FirstUpdateTest {

  private static final String SQL =
      """
      CREATE STREAMING TABLE people;
      CREATE FLOW people_changes AS AUTO CDC INTO people
      FROM STREAM read_files('${dir}/feed', format => 'json', schema => 'id INT, town STRING, op STRING, n BIGINT')
      KEYS (id) APPLY AS DELETE WHEN op = 'D' SEQUENCE BY n
      COLUMNS * EXCEPT (op, n) STORED AS SCD TYPE 2;
      """;

  @Test
  void late_events_of_a_second_update_split_a_closed_version(@TempDir Path folder) {
    try (Workbench bench = new Workbench(folder)) {
      bench.write(
          "feed/1.json",
          "{\"id\":1,\"town\":\"a\",\"op\":\"U\",\"n\":10}",
          "{\"id\":1,\"town\":\"c\",\"op\":\"U\",\"n\":20}");
      assertThat(bench.update(SQL).succeeded()).isTrue();
      bench.write("feed/2.json", "{\"id\":1,\"town\":\"b\",\"op\":\"U\",\"n\":15}");
      UpdateResult second = bench.update(SQL);
      assertThat(second.targets().get(0).flows().get(0).late()).isEqualTo(1);
      assertThat(bench.rows("people"))
          .extracting(
              row -> row.get("town"), row -> row.get("__START_AT"), row -> row.get("__END_AT"))
          .containsExactlyInAnyOrder(
              tuple("a", 10L, 15L), tuple("b", 15L, 20L), tuple("c", 20L, null));
      assertThat(bench.update(SQL, Map.of(), o -> o).targets().get(0).steps()).isZero();
    }
  }
}
