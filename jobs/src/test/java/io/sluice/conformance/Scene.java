package io.sluice.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.errors.Problem;
import io.sluice.errors.SluiceException;
import io.sluice.plan.TargetStatus;
import io.sluice.run.FlowResult;
import io.sluice.run.TargetResult;
import io.sluice.run.UpdateOptions;
import io.sluice.run.UpdateResult;
import io.sluice.run.Workbench;
import io.sluice.sql.QualifiedName;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.StructLike;
import org.apache.iceberg.Table;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types.NestedField;

/** A workbench with short forms: rows as text, updates that must succeed or must fail. */
final class Scene implements AutoCloseable {

  private final Workbench bench;

  Scene(Path folder) {
    this.bench = new Workbench(folder);
  }

  Workbench bench() {
    return bench;
  }

  /** Writes JSON lines; single quotes stand for double ones. */
  Path json(String name, String... lines) {
    return bench.write(
        name, Stream.of(lines).map(line -> line.replace('\'', '"')).toArray(String[]::new));
  }

  /** An update that must succeed. */
  UpdateResult run(String sql) {
    return succeeded(bench.update(sql));
  }

  /** An update that reads tables again. */
  UpdateResult refresh(String sql, String... tables) {
    Set<QualifiedName> names =
        Stream.of(tables)
            .map(name -> QualifiedName.of("default", name))
            .collect(Collectors.toSet());
    return succeeded(
        bench.update(
            sql, Map.of(), o -> new UpdateOptions(Set.of(), names, false, o.parallelism())));
  }

  /** An update that reads all tables again. */
  UpdateResult refreshAll(String sql) {
    return succeeded(
        bench.update(
            sql, Map.of(), o -> new UpdateOptions(Set.of(), Set.of(), true, o.parallelism())));
  }

  private static UpdateResult succeeded(UpdateResult result) {
    assertThat(result.failures()).isEmpty();
    return result;
  }

  /** The problems of an update in which tables must fail. */
  List<Problem> failing(String sql) {
    UpdateResult result = bench.update(sql);
    assertThat(result.succeeded()).as("an update that should have failed: %s", result).isFalse();
    return result.failures().values().stream().flatMap(List::stream).toList();
  }

  /** The problems of a definition that must be refused before anything runs. */
  List<Problem> refused(String sql) {
    SluiceException error = catchThrowableOfType(SluiceException.class, () -> bench.update(sql));
    assertThat(error).as("a definition that should have been refused").isNotNull();
    return error.problems();
  }

  /** The rows of a table, sorted, values in column order, {@code ~} for NULL. */
  List<String> rows(String table) {
    return bench.rows(table).stream()
        .map(row -> row.values().stream().map(Scene::text).collect(Collectors.joining(" ")))
        .sorted()
        .toList();
  }

  private static String text(Object value) {
    if (value instanceof StructLike struct) {
      List<String> fields = new ArrayList<>();
      for (int i = 0; i < struct.size(); i++) {
        fields.add(text(struct.get(i, Object.class)));
      }
      return String.join("/", fields);
    }
    return value == null ? "~" : value.toString();
  }

  /** What {@code sluice status} says that a flow has read. */
  List<String> positions(String sql, String flow) {
    return TargetStatus.of(bench.connection(), bench.pipeline(sql, Map.of())).stream()
        .flatMap(target -> target.flows().stream())
        .filter(each -> each.flow().equals(flow))
        .flatMap(each -> each.positions().stream())
        .toList();
  }

  /** The columns of a table as {@code name type}. */
  List<String> columns(String table) {
    return bench.table(table).schema().columns().stream()
        .map(column -> column.name() + " " + type(column.type()))
        .toList();
  }

  /** A type without the ids that Iceberg gives to fields. */
  static String type(Type type) {
    return type.isStructType()
        ? type.asStructType().fields().stream()
            .map(field -> field.name() + ": " + type(field.type()))
            .collect(Collectors.joining(", ", "struct(", ")"))
        : type.toString().replace(" ", "");
  }

  List<String> columnNames(String table) {
    return bench.table(table).schema().columns().stream().map(NestedField::name).toList();
  }

  /** How many snapshots of a table are in its history. */
  int commits(String table) {
    Table loaded = bench.table(table);
    int count = 0;
    for (Snapshot snapshot : loaded.snapshots()) {
      count++;
    }
    return count;
  }

  static TargetResult target(UpdateResult result, String table) {
    return result.targets().stream()
        .filter(each -> each.target().endsWith(table))
        .findFirst()
        .orElseThrow();
  }

  static FlowResult flow(UpdateResult result, String flow) {
    return result.targets().stream()
        .flatMap(each -> each.flows().stream())
        .filter(each -> each.flow().equals(flow))
        .findFirst()
        .orElseThrow();
  }

  @Override
  public void close() {
    bench.close();
  }
}
