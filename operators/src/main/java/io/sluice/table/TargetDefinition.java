package io.sluice.table;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.iceberg.Schema;

/**
 * What a target table is created from.
 *
 * @param columns user columns, then the generated ones; nullability is decided at creation
 * @param identity the columns that together identify a row; empty for append-only targets
 * @param partitioning partition fields as text: a column, or {@code bucket(16, id)}, {@code
 *     truncate(4, name)}, {@code years(ts)}, {@code months(ts)}, {@code days(ts)}, {@code
 *     hours(ts)}; the singular forms are the same
 * @param comment comment of the table
 * @param properties table properties; they win over the defaults of Sluice
 */
public record TargetDefinition(
    Schema columns,
    List<String> identity,
    List<String> partitioning,
    Optional<String> comment,
    Map<String, String> properties) {

  public TargetDefinition {
    identity = List.copyOf(identity);
    partitioning = List.copyOf(partitioning);
    properties = Map.copyOf(properties);
  }
}
