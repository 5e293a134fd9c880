package io.sluice.plan;

import java.util.List;
import java.util.Optional;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;

/**
 * The column that holds the version of a snapshot flow. Its name and type stay as they are until a
 * full refresh (semantics 11.2).
 *
 * @param name as the version query names it; empty where the time of taking is the version
 * @param type as tables keep it, nullable
 */
record VersionColumn(Optional<String> name, LogicalType type) {

  private static final String UNNAMED = "version";

  /** The relation that the version functions return. */
  RowType relation() {
    return new RowType(false, List.of(new RowType.RowField(name.orElse(UNNAMED), type.copy(true))));
  }

  /** Whether versions of both columns can follow each other. */
  boolean goesOnWith(VersionColumn next) {
    boolean sameName =
        name.isEmpty() || next.name().isEmpty() || name.get().equalsIgnoreCase(next.name().get());
    return sameName && type.copy(true).equals(next.type().copy(true));
  }

  @Override
  public String toString() {
    return name.map(text -> "'" + text + "' ").orElse("") + Sql.describe(type);
  }
}
