package io.sluice.table;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.hadoop.HadoopCatalog;
import org.apache.iceberg.jdbc.JdbcCatalog;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.types.Types.NestedField;

/** The catalogs and format versions that every test of a table runs with. */
enum TestSetup {
  HADOOP_V2("hadoop", 2),
  HADOOP_V3("hadoop", 3),
  SQLITE_V2("sqlite", 2),
  SQLITE_V3("sqlite", 3);

  static final TableIdentifier NAME = TableIdentifier.of("db", "t");

  /** id, name: the columns of most tests. */
  static final Schema ID_NAME =
      new Schema(
          NestedField.optional(1, "id", Types.LongType.get()),
          NestedField.optional(2, "name", Types.StringType.get()));

  final int version;
  private final String kind;

  TestSetup(String kind, int version) {
    this.kind = kind;
    this.version = version;
  }

  Catalog catalog(Path folder) {
    if (kind.equals("hadoop")) {
      return new HadoopCatalog(configuration(), folder.toString());
    }
    JdbcCatalog catalog = new JdbcCatalog();
    catalog.setConf(configuration());
    catalog.initialize(
        "test",
        Map.of(
            "uri",
            "jdbc:sqlite:" + folder.resolve("catalog.db"),
            "jdbc.schema-version",
            "V1",
            "warehouse",
            folder.toString()));
    return catalog;
  }

  private static Configuration configuration() {
    Configuration configuration = new Configuration();
    configuration.set(LocalFiles.PROPERTY, LocalFiles.class.getName());
    return configuration;
  }

  Table create(Path folder, Schema schema, List<String> identity, String... partitioning) {
    return create(folder, schema, identity, Map.of(), partitioning);
  }

  Table create(
      Path folder,
      Schema schema,
      List<String> identity,
      Map<String, String> properties,
      String... partitioning) {
    java.util.HashMap<String, String> all = new java.util.HashMap<>(properties);
    all.put("format-version", Integer.toString(version));
    return TargetTables.create(
        catalog(folder),
        NAME,
        new TargetDefinition(schema, identity, List.of(partitioning), Optional.empty(), all));
  }

  Table createIdName(Path folder, String... partitioning) {
    return create(folder, ID_NAME, List.of("id"), partitioning);
  }
}
