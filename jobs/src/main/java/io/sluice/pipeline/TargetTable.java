package io.sluice.pipeline;

import io.sluice.errors.SourceLocation;
import io.sluice.sql.ColumnDefinition;
import io.sluice.sql.Constraint;
import io.sluice.sql.QualifiedName;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A streaming table that the file declares.
 *
 * @param at its statement
 * @param name the full name in the catalog: namespace and table
 * @param columns declared columns; empty where the flows decide
 * @param expectations what its rows or events should satisfy
 * @param partitioning partition fields as text, like {@code region} or {@code bucket(16, id)}
 * @param comment the table's comment
 * @param properties TBLPROPERTIES
 */
public record TargetTable(
    SourceLocation at,
    QualifiedName name,
    List<ColumnDefinition> columns,
    List<Constraint> expectations,
    List<String> partitioning,
    Optional<String> comment,
    Map<String, String> properties) {

  public TargetTable {
    columns = List.copyOf(columns);
    expectations = List.copyOf(expectations);
    partitioning = List.copyOf(partitioning);
    properties = Map.copyOf(properties);
  }

  /** Whether a full refresh may empty the table ({@code pipelines.reset.allowed}). */
  public boolean resetAllowed() {
    return !"false".equalsIgnoreCase(properties.getOrDefault("pipelines.reset.allowed", "true"));
  }

  /** Whether an existing table of somebody else may become the target ({@code sluice.adopt}). */
  public boolean adopted() {
    return "true".equalsIgnoreCase(properties.getOrDefault("sluice.adopt", "false"));
  }
}
