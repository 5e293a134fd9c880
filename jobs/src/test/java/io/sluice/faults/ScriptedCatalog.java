package io.sluice.faults;

import io.sluice.catalog.CatalogConfig;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableOperations;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.LocationProvider;
import org.apache.iceberg.jdbc.JdbcCatalog;

/**
 * The local catalog, whose every commit and read of table metadata goes through a {@link Script} of
 * the test. Configured by class name like any other catalog.
 */
public final class ScriptedCatalog extends JdbcCatalog {

  private static final Map<String, Script> SCRIPTS = new ConcurrentHashMap<>();

  private Script script;

  /** What a test lets the catalog do. */
  public interface Script {

    /** A catalog that works. */
    Script NONE = (table, commit) -> commit.run();

    /**
     * A commit of a table, its creation included.
     *
     * @param commit makes it
     */
    void commit(TableIdentifier table, Runnable commit);

    /** A read of a table's current metadata. */
    default void read(TableIdentifier table) {}
  }

  /** The configuration of a catalog with its warehouse below a folder, played by a script. */
  public static CatalogConfig config(Path folder, Script script) {
    return config(folder, script, Map.of());
  }

  /** The same with other properties than the local catalog's. */
  public static CatalogConfig config(Path folder, Script script, Map<String, String> others) {
    Path warehouse = folder.resolve("warehouse");
    SCRIPTS.put(warehouse.toString(), script);
    CatalogConfig local = CatalogConfig.local(Map.of("SLUICE_WAREHOUSE", warehouse.toString()));
    Map<String, String> properties = new HashMap<>(local.properties());
    properties.put("script", warehouse.toString());
    properties.putAll(others);
    return new CatalogConfig(
        local.name(), ScriptedCatalog.class.getName(), local.defaultNamespace(), properties);
  }

  @Override
  public void initialize(String name, Map<String, String> properties) {
    script = Objects.requireNonNull(SCRIPTS.get(properties.get("script")), "script");
    super.initialize(name, properties);
  }

  @Override
  protected TableOperations newTableOps(TableIdentifier table) {
    return new ScriptedOperations(super.newTableOps(table), table);
  }

  private final class ScriptedOperations implements TableOperations {

    private final TableOperations real;
    private final TableIdentifier table;

    ScriptedOperations(TableOperations real, TableIdentifier table) {
      this.real = real;
      this.table = table;
    }

    @Override
    public TableMetadata current() {
      return real.current();
    }

    @Override
    public TableMetadata refresh() {
      script.read(table);
      return real.refresh();
    }

    @Override
    public void commit(TableMetadata base, TableMetadata updated) {
      script.commit(table, () -> real.commit(base, updated));
    }

    @Override
    public FileIO io() {
      return real.io();
    }

    @Override
    public String metadataFileLocation(String fileName) {
      return real.metadataFileLocation(fileName);
    }

    @Override
    public LocationProvider locationProvider() {
      return real.locationProvider();
    }

    @Override
    public TableOperations temp(TableMetadata uncommitted) {
      return real.temp(uncommitted);
    }

    @Override
    public long newSnapshotId() {
      return real.newSnapshotId();
    }
  }
}
