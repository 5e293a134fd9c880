package io.sluice.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.run.TargetResult;
import io.sluice.run.UpdateResult;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.Table;
import org.apache.iceberg.data.IcebergGenerics;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.types.Types.NestedField;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Updates empty the files in which little is alive, and leave the rows of a single update. */
class TidyingIT {

  private static final int KEYS = 300;
  private static final int EVENTS = 400;

  private static String table(int type, int version) {
    return """
    CREATE STREAMING TABLE t%1$d_%2$d TBLPROPERTIES ('format-version' = '%2$d');
    CREATE FLOW f%1$d_%2$d AS AUTO CDC INTO t%1$d_%2$d
    FROM STREAM read_files('${dir}/in', format => 'json',
      schema => 'id INT, val STRING, price DOUBLE, at TIMESTAMP, op STRING, seq BIGINT')
    KEYS (id) APPLY AS DELETE WHEN op = 'D' SEQUENCE BY seq COLUMNS * EXCEPT (op, seq)
    STORED AS SCD TYPE %1$d;
    """
        .formatted(type, version);
  }

  private static final String ALL = table(1, 2) + table(1, 3) + table(2, 2) + table(2, 3);

  private static final List<String> TABLES = List.of("t1_2", "t1_3", "t2_2", "t2_3");

  /** Random changes; one in twenty deletes, one in twenty is late. */
  private static String[] changes(Random random, int update) {
    String[] lines = new String[EVENTS];
    for (int i = 0; i < EVENTS; i++) {
      int late = random.nextInt(20) == 0 ? random.nextInt(40) : 0;
      lines[i] =
          "{'id':%d,'val':%s,'price':%s,'at':'2026-01-%02dT10:00:00.12345%dZ','op':'%s','seq':%d}"
              .formatted(
                  random.nextInt(KEYS),
                  random.nextInt(30) == 0 ? "null" : "'v" + random.nextInt(1000) + "'",
                  random.nextDouble(),
                  1 + random.nextInt(28),
                  random.nextInt(10),
                  random.nextInt(20) == 0 ? "D" : "U",
                  (update * EVENTS + i - late) * 100L + random.nextInt(100));
    }
    return lines;
  }

  @Test
  void ten_updates_leave_no_sparse_files_and_the_rows_of_one(
      @TempDir Path tenFolder, @TempDir Path oneFolder) {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    try (Scene ten = new Scene(tenFolder);
        Scene one = new Scene(oneFolder)) {
      long[] net = new long[TABLES.size()];
      long[] moved = new long[TABLES.size()];
      for (int update = 0; update < 10; update++) {
        String[] lines = changes(random, update);
        ten.json("in/" + update + ".json", lines);
        one.json("in/" + update + ".json", lines);
        List<Set<String>> sparse = new ArrayList<>();
        for (String name : TABLES) {
          sparse.add(update == 0 ? Set.of() : sparse(ten.bench().table(name)));
        }
        UpdateResult result = ten.run(ALL);
        for (int i = 0; i < TABLES.size(); i++) {
          TargetResult target = Scene.target(result, TABLES.get(i));
          net[i] += target.inserted() - target.deleted();
          moved[i] += target.rowsMoved();
          assertThat(files(ten.bench().table(TABLES.get(i))).keySet())
              .as("files of %s, update %d, seed %d", TABLES.get(i), update, seed)
              .noneMatch(sparse.get(i)::contains);
        }
      }
      one.run(ALL);
      for (int i = 0; i < TABLES.size(); i++) {
        String name = TABLES.get(i);
        Table table = ten.bench().table(name);
        assertThat(rows(table))
            .as("%s, seed %d", name, seed)
            .isEqualTo(rows(one.bench().table(name)));
        assertThat(net[i])
            .as("rows of %s by the counters, seed %d", name, seed)
            .isEqualTo(rows(table).size());
        assertThat(moved[i]).as("moved rows of %s, seed %d", name, seed).isPositive();
      }
    }
  }

  /** All columns of all rows, generated ones included, sorted. */
  private static List<String> rows(Table table) {
    List<String> rows = new ArrayList<>();
    try (CloseableIterable<Record> records = IcebergGenerics.read(table).build()) {
      for (Record record : records) {
        rows.add(
            table.schema().columns().stream()
                .map(column -> String.valueOf(record.getField(column.name())))
                .collect(Collectors.joining("|")));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    rows.sort(null);
    return rows;
  }

  /** The data files of a table: share of live rows by location. */
  private static Map<String, Double> files(Table table) {
    Map<String, Double> files = new HashMap<>();
    scan(table, task -> files.put(task.file().location(), alive(task)));
    return files;
  }

  /** The files with less than four rows in ten alive that any update reads. */
  private static Set<String> sparse(Table table) {
    Set<String> sparse = new HashSet<>();
    NestedField end = table.schema().findField("__END_AT");
    scan(
        table,
        task -> {
          boolean closed =
              end != null && task.file().nullValueCounts().getOrDefault(end.fieldId(), 0L) == 0;
          if (!closed && alive(task) < 0.4) {
            sparse.add(task.file().location());
          }
        });
    return sparse;
  }

  private static double alive(FileScanTask task) {
    long dead = task.deletes().stream().mapToLong(DeleteFile::recordCount).sum();
    return 1 - (double) dead / task.file().recordCount();
  }

  private static void scan(Table table, Consumer<FileScanTask> consumer) {
    try (CloseableIterable<FileScanTask> tasks = table.newScan().includeColumnStats().planFiles()) {
      tasks.forEach(consumer);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void an_update_that_only_adds_rows_moves_none_and_stays_an_append(@TempDir Path folder) {
    String sql = table(1, 2) + table(1, 3);
    try (Scene scene = new Scene(folder)) {
      List<String> first = new ArrayList<>();
      List<String> second = new ArrayList<>();
      List<String> third = new ArrayList<>();
      for (int id = 0; id < 200; id += 2) {
        first.add("{'id':%d,'val':'a','op':'U','seq':1}".formatted(id));
        if (id % 10 != 0) {
          second.add("{'id':%d,'op':'D','seq':2}".formatted(id));
        }
        third.add("{'id':%d,'val':'b','op':'U','seq':3}".formatted(id + 1));
      }
      scene.json("in/1.json", first.toArray(String[]::new));
      scene.run(sql);
      scene.json("in/2.json", second.toArray(String[]::new));
      scene.run(sql);
      scene.json("in/3.json", third.toArray(String[]::new));
      UpdateResult added = scene.run(sql);
      for (String name : List.of("t1_2", "t1_3")) {
        Table table = scene.bench().table(name);
        assertThat(Scene.target(added, name).existingRowsRead()).isEqualTo(20);
        assertThat(Scene.target(added, name).rowsMoved()).isZero();
        assertThat(table.currentSnapshot().operation()).isEqualTo("append");
        assertThat(rows(table)).hasSize(120);
      }
      assertNoMovedFiles(folder.resolve("warehouse"));
      String[] fourth = new String[9];
      for (int i = 0; i < fourth.length; i++) {
        fourth[i] = "{'id':%d,'val':'c','op':'U','seq':4}".formatted(i * 10);
      }
      scene.json("in/4.json", fourth);
      UpdateResult changed = scene.run(sql);
      for (String name : List.of("t1_2", "t1_3")) {
        assertThat(Scene.target(changed, name).rowsMoved()).isEqualTo(11);
        assertThat(Scene.target(changed, name).updated()).isEqualTo(9);
        assertThat(Scene.target(changed, name).inserted()).isZero();
        assertThat(files(scene.bench().table(name)).values()).allMatch(alive -> alive == 1);
        assertThat(rows(scene.bench().table(name))).hasSize(120);
      }
    }
  }

  private static void assertNoMovedFiles(Path warehouse) {
    try (Stream<Path> files = Files.walk(warehouse)) {
      assertThat(files.map(Path::toString).filter(file -> file.contains("-moved"))).isEmpty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
