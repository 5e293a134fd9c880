package io.sluice.api;

import io.sluice.sql.ColumnDefinition;
import io.sluice.sql.CreateStreamingTable;
import io.sluice.sql.PartitionField;
import io.sluice.sql.QualifiedName;
import io.sluice.sql.TableParts;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A streaming table (semantics 2.1). With {@code from(..)} it has a flow of its own name that
 * appends what it reads.
 */
public final class StreamingTableDefinition extends DatasetDefinition<StreamingTableDefinition> {

  private final QualifiedName name;
  private final List<ColumnDefinition> columns = new ArrayList<>();
  private final List<PartitionField> partitioning = new ArrayList<>();
  private final Map<String, String> properties = new LinkedHashMap<>();

  StreamingTableDefinition(String name) {
    this.name = TableName.parse(name);
  }

  @Override
  StreamingTableDefinition self() {
    return this;
  }

  /** Declares a column; without any the flows decide. */
  public StreamingTableDefinition column(String columnName, String type) {
    columns.add(new ColumnDefinition(CallSite.here(), columnName, type, false, Optional.empty()));
    return this;
  }

  /** Partition fields, like {@code "region"} or {@code "bucket(16, id)"}. */
  public StreamingTableDefinition partitionedBy(String... fields) {
    for (String field : fields) {
      partitioning.add(new PartitionField(CallSite.here(), field));
    }
    return this;
  }

  /** A table property, of Sluice or of Iceberg. */
  public StreamingTableDefinition property(String key, String value) {
    properties.put(key, value);
    return this;
  }

  @Override
  void declare(Declared into) {
    into.add(
        new CreateStreamingTable(
            at(),
            at(),
            name,
            true,
            false,
            new TableParts(
                columns, expectations(), partitioning, comment(), properties, Optional.empty()),
            reading().map(each -> each.query(name.last(), at(), into)),
            Optional.empty()));
  }
}
