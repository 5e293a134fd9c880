package io.sluice.sql;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What streaming tables, materialized views and plain tables declare alike.
 *
 * @param columns declared columns, empty if the schema comes from the flows
 * @param constraints expectations (semantics 2.7)
 * @param partitionFields PARTITIONED BY, in order
 * @param comment COMMENT, if any
 * @param properties TBLPROPERTIES in their order
 * @param schedule SCHEDULE or TRIGGER, if any
 */
public record TableParts(
    List<ColumnDefinition> columns,
    List<Constraint> constraints,
    List<PartitionField> partitionFields,
    Optional<String> comment,
    Map<String, String> properties,
    Optional<Schedule> schedule) {

  public TableParts {
    columns = List.copyOf(columns);
    constraints = List.copyOf(constraints);
    partitionFields = List.copyOf(partitionFields);
    properties = Collections.unmodifiableMap(new LinkedHashMap<>(properties));
  }
}
