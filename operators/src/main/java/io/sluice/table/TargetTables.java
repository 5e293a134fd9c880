package io.sluice.table;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.errors.ErrorCode;
import io.sluice.errors.SluiceException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.SupportsNamespaces;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.catalog.ViewCatalog;
import org.apache.iceberg.exceptions.NoSuchTableException;
import org.apache.iceberg.types.Type.TypeID;
import org.apache.iceberg.types.Types.NestedField;

/** Creates, opens and evolves target tables. */
public final class TargetTables {

  /** Table property with the identity columns as a JSON array; marks a table as ours. */
  public static final String IDENTITY = "sluice.identity";

  /** Table property: {@code true} once a flow of the table had partial updates. */
  public static final String PARTIAL_UPDATES = "sluice.partial-updates";

  private static final Map<String, String> DEFAULTS =
      Map.of(
          TableProperties.FORMAT_VERSION, "3",
          TableProperties.METADATA_DELETE_AFTER_COMMIT_ENABLED, "true",
          TableProperties.METADATA_PREVIOUS_VERSIONS_MAX, "20",
          TableProperties.PARQUET_COMPRESSION, "zstd",
          TableProperties.PARQUET_DICT_SIZE_BYTES, String.valueOf(128 << 10));

  private static final ObjectMapper JSON = new ObjectMapper();

  private TargetTables() {}

  /**
   * Creates a target, its namespace included. Identity columns become required, all other columns
   * optional; Iceberg's identifier fields are set where the format allows all of them.
   *
   * @throws SluiceException INCOMPATIBLE_SCHEMA if identity or partitioning do not fit the columns
   * @throws org.apache.iceberg.exceptions.AlreadyExistsException if the table exists
   */
  public static Table create(
      Catalog catalog, TableIdentifier identifier, TargetDefinition definition) {
    Schema schema = nullability(definition);
    PartitionSpec spec = PartitionText.parse(schema, definition.partitioning());
    Map<String, String> properties = new HashMap<>(DEFAULTS);
    definition.comment().ifPresent(comment -> properties.put("comment", comment));
    properties.putAll(definition.properties());
    properties.put(IDENTITY, toJson(definition.identity()));
    createNamespace(catalog, identifier.namespace());
    requireNoView(catalog, identifier);
    return catalog.createTable(identifier, schema, spec, properties);
  }

  /**
   * Opens a table, ours or not; empty if it does not exist.
   *
   * @throws SluiceException STORAGE if its metadata is damaged
   */
  public static Optional<Table> open(Catalog catalog, TableIdentifier identifier) {
    try {
      return Optional.of(catalog.loadTable(identifier));
    } catch (NoSuchTableException e) {
      return Optional.empty();
    } catch (RuntimeException e) {
      throw DamagedMetadata.of(identifier, e).map(RuntimeException.class::cast).orElse(e);
    }
  }

  /** Whether Sluice made the table. */
  public static boolean isManaged(Table table) {
    return table.properties().containsKey(IDENTITY);
  }

  /** Marks a table that somebody else made as one of ours. */
  public static void adopt(Table table, List<String> identity) {
    table.updateProperties().set(IDENTITY, toJson(identity)).commit();
    table.refresh();
  }

  /**
   * The identity columns of a table of ours; empty for append-only targets.
   *
   * @throws SluiceException TABLE_NOT_MANAGED if Sluice did not make the table
   */
  public static List<String> identity(Table table) {
    String text = table.properties().get(IDENTITY);
    if (text == null) {
      throw new SluiceException(
          ErrorCode.TABLE_NOT_MANAGED,
          "table " + table.name() + " exists and was not made by Sluice",
          "Give the target another name, drop the table, or take it over with the table property"
              + " 'sluice.adopt' = 'true'");
    }
    try {
      return JSON.readValue(text, new TypeReference<List<String>>() {});
    } catch (JsonProcessingException e) {
      throw new SluiceException(
          ErrorCode.TABLE_NOT_MANAGED,
          "the property " + IDENTITY + " of table " + table.name() + " is no list of columns",
          "Restore the property",
          e);
    }
  }

  /**
   * Adds new columns and widens types so that the table holds the wanted columns (semantics 0.13);
   * a commit of its own, or none. Rows are written in the order of the resulting schema.
   *
   * @throws SluiceException INCOMPATIBLE_SCHEMA with every column that does not fit
   */
  public static Schema evolve(Table table, Schema wanted) {
    Set<String> fixed = new HashSet<>(identity(table));
    table.schema().columns().stream()
        .map(NestedField::name)
        .filter(GeneratedColumns::contains)
        .forEach(fixed::add);
    SchemaEvolution.apply(table, wanted, fixed, GeneratedColumns::contains);
    return table.schema();
  }

  /**
   * Checks that a table with these columns can be partitioned by these fields.
   *
   * @throws SluiceException INCOMPATIBLE_SCHEMA for an unknown column, transform or type
   */
  public static void requirePartitionable(Schema schema, List<String> partitioning) {
    PartitionText.parse(schema, partitioning);
  }

  /**
   * Checks that a table is partitioned as a definition says.
   *
   * @throws SluiceException INCOMPATIBLE_SCHEMA if it is not
   */
  public static void requirePartitioning(Table table, List<String> partitioning) {
    if (!isPartitionedBy(table, partitioning)) {
      throw new SluiceException(
          ErrorCode.INCOMPATIBLE_SCHEMA,
          "table "
              + table.name()
              + " is partitioned by "
              + table.spec().fields()
              + " and declared as partitioned by "
              + partitioning,
          "Declare the table's partitioning, or run with --full-refresh, which makes it anew");
    }
  }

  /** Whether a table is partitioned by these fields now. */
  public static boolean isPartitionedBy(Table table, List<String> partitioning) {
    try {
      return PartitionText.parse(table.schema(), partitioning).compatibleWith(table.spec());
    } catch (SluiceException e) {
      return false;
    }
  }

  /**
   * Checks that the name of a table to create is not that of a view.
   *
   * @throws SluiceException TABLE_NOT_MANAGED if it is
   */
  static void requireNoView(Catalog catalog, TableIdentifier identifier) {
    if (catalog instanceof ViewCatalog views && viewExists(views, identifier)) {
      throw new SluiceException(
          ErrorCode.TABLE_NOT_MANAGED,
          "a table " + identifier + " cannot be created: there is a view of that name",
          "Give the target another name, or drop the view");
    }
  }

  private static boolean viewExists(ViewCatalog views, TableIdentifier identifier) {
    try {
      return views.viewExists(identifier);
    } catch (UnsupportedOperationException e) {
      return false;
    }
  }

  static void createNamespace(Catalog catalog, Namespace namespace) {
    if (catalog instanceof SupportsNamespaces namespaces
        && !namespace.isEmpty()
        && !namespaces.namespaceExists(namespace)) {
      namespaces.createNamespace(namespace);
    }
  }

  private static Schema nullability(TargetDefinition definition) {
    Schema columns = definition.columns();
    for (String name : definition.identity()) {
      if (columns.asStruct().field(name) == null) {
        throw new SluiceException(
            ErrorCode.INCOMPATIBLE_SCHEMA,
            "identity column " + name + " is not among the columns of the table",
            "Select the key columns into the target");
      }
    }
    List<NestedField> fields =
        columns.columns().stream()
            .map(
                field ->
                    definition.identity().contains(field.name())
                        ? field.asRequired()
                        : field.asOptional())
            .toList();
    Set<Integer> identifiers = new HashSet<>();
    for (String name : definition.identity()) {
      NestedField field = columns.asStruct().field(name);
      TypeID type = field.type().typeId();
      if (!field.type().isPrimitiveType() || type == TypeID.FLOAT || type == TypeID.DOUBLE) {
        return new Schema(fields);
      }
      identifiers.add(field.fieldId());
    }
    return new Schema(fields, identifiers);
  }

  private static String toJson(List<String> identity) {
    try {
      return JSON.writeValueAsString(identity);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }
}
