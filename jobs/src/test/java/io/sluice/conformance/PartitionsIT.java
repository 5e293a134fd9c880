package io.sluice.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Table;
import org.apache.iceberg.io.CloseableIterable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Partitioned targets, among them keys that move from one partition to another (design 6). */
class PartitionsIT {

  private static final List<String> PARTITIONS =
      List.of("region", "bucket(4, id)", "truncate(2, val)", "days(at)", "region, months(at)");

  private static String table(String name, String partitioned, int type, int version) {
    return """
    CREATE STREAMING TABLE %1$s PARTITIONED BY (%2$s)
      TBLPROPERTIES ('format-version' = '%4$d');
    CREATE FLOW %1$s_changes AS AUTO CDC INTO %1$s
    FROM STREAM read_files('${dir}/in', format => 'json',
      schema => 'id INT, region STRING, val STRING, at TIMESTAMP, op STRING, seq INT')
    KEYS (id) APPLY AS DELETE WHEN op = 'D' SEQUENCE BY seq COLUMNS * EXCEPT (op, seq)
    STORED AS SCD TYPE %3$d;
    """
        .formatted(name, partitioned, type, version);
  }

  private static String change(int id, String region, String val, int day, int seq) {
    return "{'id':%d,'region':%s,'val':'%s','at':'2026-0%d-01T12:00:00Z','op':'U','seq':%d}"
        .formatted(id, region == null ? "null" : "'" + region + "'", val, day, seq);
  }

  @Test
  void rows_move_between_partitions_and_closed_rows_stay_where_they_belong(@TempDir Path folder) {
    List<String> names = new ArrayList<>();
    StringBuilder sql = new StringBuilder();
    for (String partitioned : PARTITIONS) {
      for (int type = 1; type <= 2; type++) {
        String name = "p" + names.size();
        names.add(name);
        sql.append(table(name, partitioned, type, 2 + names.size() / 2 % 2));
      }
    }
    try (Scene scene = new Scene(folder)) {
      scene.json(
          "in/1.json",
          change(1, "north", "aab", 1, 1),
          change(2, "south", "abc", 2, 1),
          change(3, null, "xyz", 3, 1));
      scene.run(sql.toString());
      scene.json(
          "in/2.json",
          change(1, "south", "bcd", 5, 2),
          change(3, "north", "xyz", 3, 2),
          "{'id':2,'op':'D','seq':2}");
      scene.run(sql.toString());
      scene.json("in/3.json", change(1, "east", "cde", 4, 3), change(2, "south", "abc", 2, 0));
      scene.run(sql.toString());
      for (int i = 0; i < names.size(); i++) {
        assertThat(scene.rows(names.get(i)))
            .as("%s partitioned by %s", names.get(i), PARTITIONS.get(i / 2))
            .isEqualTo(i % 2 == 0 ? latest() : versions());
        requirePartitions(scene.bench().table(names.get(i)));
      }
      assertThat(partitions(scene.bench().table("p0"))).contains("region=east", "region=north");
      assertThat(partitions(scene.bench().table("p1")))
          .containsExactly("region=east", "region=north", "region=null", "region=south");
    }
  }

  @Test
  void another_partitioning_is_refused_and_a_full_refresh_makes_the_table_anew(
      @TempDir Path folder) {
    try (Scene scene = new Scene(folder)) {
      scene.json("in/1.json", change(1, "north", "aab", 1, 1), change(2, "south", "abc", 2, 1));
      scene.run(table("p", "region", 1, 3));
      String other = table("p", "bucket(2, ID)", 1, 3);
      assertThat(scene.refused(other))
          .singleElement()
          .satisfies(problem -> assertThat(problem.location()).isPresent())
          .asString()
          .contains("INCOMPATIBLE_SCHEMA", "region", "bucket(2, ID)", "--full-refresh");
      scene.refresh(other, "p");
      assertThat(scene.rows("p")).hasSize(2);
      assertThat(partitions(scene.bench().table("p")))
          .isNotEmpty()
          .allMatch(name -> name.startsWith("id_bucket="));
    }
  }

  private static List<String> latest() {
    return List.of("1 east cde 2026-04-01T12:00Z", "3 north xyz 2026-03-01T12:00Z");
  }

  private static List<String> versions() {
    return List.of(
        "1 east cde 2026-04-01T12:00Z 3 ~",
        "1 north aab 2026-01-01T12:00Z 1 2",
        "1 south bcd 2026-05-01T12:00Z 2 3",
        "2 south abc 2026-02-01T12:00Z 0 2",
        "3 north xyz 2026-03-01T12:00Z 2 ~",
        "3 ~ xyz 2026-03-01T12:00Z 1 2");
  }

  /** The partitions with files, as Iceberg names them. */
  private static Set<String> partitions(Table table) {
    Set<String> found = new TreeSet<>();
    try (CloseableIterable<FileScanTask> tasks = table.newScan().planFiles()) {
      for (FileScanTask task : tasks) {
        DataFile file = task.file();
        found.add(table.specs().get(file.specId()).partitionToPath(file.partition()));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return found;
  }

  private static void requirePartitions(Table table) {
    PartitionSpec spec = table.spec();
    assertThat(spec.isPartitioned()).as(table.name()).isTrue();
    assertThat(partitions(table)).as(table.name()).isNotEmpty();
  }
}
