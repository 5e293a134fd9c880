package io.sluice.conformance;

import io.sluice.run.UpdateResult;
import io.sluice.run.Workbench;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileContent;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.HasTableOperations;
import org.apache.iceberg.StructLike;
import org.apache.iceberg.Table;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.types.Types.NestedField;

/**
 * Runs many cases in one pipeline, update by update: every case has a table per Iceberg format
 * version, and both read the same folder. What differs is collected, so that one run shows all.
 */
final class CaseRun {

  private final Workbench bench;
  private final List<ConformanceCase> cases;
  private final Intake intake;
  private final String sql;
  private final List<String> differences = new ArrayList<>();

  CaseRun(Workbench bench, List<ConformanceCase> cases) {
    this(bench, cases, Workbench::update);
  }

  /** Brings events to the tables. */
  @FunctionalInterface
  interface Intake {

    /** Is called before anything arrives; gets the pipeline's text. */
    default void begin(Workbench bench, String sql) {}

    /** Takes in what has arrived; gets the pipeline's text. */
    UpdateResult take(Workbench bench, String sql);

    /** Lets events arrive. */
    default void feed(Workbench bench, ConformanceCase each, String name, List<String> lines) {
      bench.write(each.feed() + "/" + name + ".json", lines.toArray(String[]::new));
    }

    /** The format versions of the tables of a case. */
    default List<Integer> versions(ConformanceCase each) {
      return List.of(2, 3);
    }
  }

  CaseRun(Workbench bench, List<ConformanceCase> cases, Intake intake) {
    this.bench = bench;
    this.cases = cases;
    this.intake = intake;
    this.sql =
        cases.stream()
            .flatMap(each -> intake.versions(each).stream().map(each::sql))
            .collect(Collectors.joining("\n"));
  }

  /**
   * Runs all updates, then everything that arrived once more.
   *
   * @return what is not as expected, one line each
   */
  List<String> run() {
    intake.begin(bench, sql);
    int updates = cases.stream().mapToInt(each -> each.updates().size()).max().orElse(0);
    for (int number = 1; number <= updates; number++) {
      for (ConformanceCase each : cases) {
        if (each.updates().size() >= number) {
          feed(each, String.valueOf(number), each.updates().get(number - 1));
        }
      }
      update("update " + number);
      for (ConformanceCase each : cases) {
        List<Map<String, Object>> rows = each.expected().get(number);
        if (rows != null) {
          compare(each, "update " + number, rows);
        }
      }
    }
    cases.forEach(this::compareColumns);
    replay();
    return differences;
  }

  /** Law 2 of semantics 20.7. */
  private void replay() {
    for (ConformanceCase each : cases) {
      feed(each, "again", each.updates().stream().flatMap(List::stream).toList());
    }
    update("replay");
    for (ConformanceCase each : cases) {
      compare(each, "replay", each.expected().get(each.updates().size()));
    }
  }

  private void feed(ConformanceCase each, String name, List<String> lines) {
    intake.feed(bench, each, name, lines);
  }

  private void update(String what) {
    UpdateResult result = intake.take(bench, sql);
    result
        .failures()
        .forEach((table, problems) -> differences.add(what + " of " + table + ": " + problems));
  }

  private void compare(ConformanceCase each, String when, List<Map<String, Object>> rows) {
    List<String> wanted = sorted(rows);
    for (int version : intake.versions(each)) {
      String table = each.table(version);
      try {
        List<String> found = sorted(bench.rows(table).stream().map(CaseRun::plain).toList());
        if (!found.equals(wanted)) {
          differences.add(table + " after " + when + ":\n  is " + found + "\n  not " + wanted);
        }
      } catch (RuntimeException e) {
        differences.add(table + " after " + when + ": " + e);
      }
    }
  }

  /** Structs as lists, so that they compare by value. */
  private static Map<String, Object> plain(Map<String, Object> row) {
    Map<String, Object> plain = new LinkedHashMap<>();
    row.forEach((name, value) -> plain.put(name, plain(value)));
    return plain;
  }

  private static Object plain(Object value) {
    if (!(value instanceof StructLike struct)) {
      return value;
    }
    List<Object> fields = new ArrayList<>();
    for (int i = 0; i < struct.size(); i++) {
      fields.add(plain(struct.get(i, Object.class)));
    }
    return fields;
  }

  private static List<String> sorted(List<Map<String, Object>> rows) {
    return rows.stream().map(CaseRun::withTypes).sorted(Comparator.naturalOrder()).toList();
  }

  private static String withTypes(Map<String, Object> row) {
    return row.entrySet().stream()
        .map(each -> each.getKey() + "=" + withType(each.getValue()))
        .collect(Collectors.joining(", ", "{", "}"));
  }

  private static String withType(Object value) {
    return value == null ? "NULL" : value + ":" + value.getClass().getSimpleName();
  }

  private void compareColumns(ConformanceCase each) {
    for (int version : intake.versions(each)) {
      Table table = bench.table(each.table(version));
      List<String> found =
          table.schema().columns().stream()
              .map(column -> column.name() + " " + Scene.type(column.type()) + optional(column))
              .toList();
      if (!each.columns().isEmpty() && !found.equals(each.columns())) {
        differences.add(
            each.table(version) + " has columns " + found + "\n  not " + each.columns());
      }
      compareFiles(table, version);
    }
  }

  private static String optional(NestedField column) {
    return column.isOptional() ? " optional" : " required";
  }

  /** Version 3 deletes by vectors, version 2 by positions; equality deletes are never written. */
  private void compareFiles(Table table, int version) {
    int found = ((HasTableOperations) table).operations().current().formatVersion();
    if (found != version) {
      differences.add(table.name() + " has format version " + found);
    }
    try (CloseableIterable<FileScanTask> tasks = table.newScan().planFiles()) {
      for (FileScanTask task : tasks) {
        for (DeleteFile delete : task.deletes()) {
          boolean vector = delete.format() == FileFormat.PUFFIN;
          if (delete.content() != FileContent.POSITION_DELETES || vector != (version == 3)) {
            differences.add(table.name() + " has a delete file " + delete);
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
