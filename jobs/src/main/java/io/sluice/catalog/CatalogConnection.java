package io.sluice.catalog;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.IoReason;
import io.sluice.errors.SluiceException;
import io.sluice.table.LocalFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.SupportsNamespaces;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.flink.CatalogLoader;
import org.apache.iceberg.flink.FlinkCatalog;
import org.apache.iceberg.jdbc.UncheckedSQLException;

/**
 * A live connection to the catalog of a {@link CatalogConfig}. The catalog object is shared by all
 * targets of a process and safe for use by several threads.
 */
public final class CatalogConnection implements AutoCloseable {

  /** A JDBC catalog makes two tables and a column when it is new. */
  private static final int LOADS = 4;

  private final CatalogConfig config;
  private final CatalogLoader loader;
  private final Catalog catalog;
  private FlinkCatalog flinkCatalog;

  private CatalogConnection(CatalogConfig config, CatalogLoader loader, Catalog catalog) {
    this.config = config;
    this.loader = loader;
    this.catalog = catalog;
  }

  /**
   * Connects, and creates the default namespace where it is missing.
   *
   * @throws SluiceException CATALOG_CONFIG if there is no such catalog class, CATALOG_UNAVAILABLE
   *     if the catalog does not answer, STORAGE if a local warehouse cannot be made
   */
  public static CatalogConnection open(CatalogConfig config) {
    requireCatalogClass(config);
    prepareLocalWarehouse(config.properties().get("warehouse"));
    CatalogLoader loader =
        new TaskCatalogLoader(
            CatalogLoader.custom(
                config.name(), config.properties(), hadoop(), config.implementation()));
    try {
      SqliteLock.await(config);
      Catalog catalog = load(loader);
      Namespace namespace = Namespace.of(config.defaultNamespace());
      if (catalog instanceof SupportsNamespaces namespaces) {
        ensure(namespaces, namespace);
      }
      return new CatalogConnection(config, loader, catalog);
    } catch (IllegalArgumentException | NullPointerException e) {
      throw new SluiceException(
          ErrorCode.CATALOG_CONFIG,
          "catalog '" + config.name() + "' cannot be made: " + e.getMessage(),
          "Check catalog-impl and the properties of the catalog configuration",
          e);
    } catch (RuntimeException | SQLException e) {
      throw CatalogErrors.unavailable("catalog '" + config.name() + "'", e);
    }
  }

  /**
   * Loads the catalog, again where another command has just made one of the catalog's own tables or
   * columns: two may be the first ones at once.
   */
  private static Catalog load(CatalogLoader loader) {
    for (int attempt = 1; ; attempt++) {
      try {
        return loader.loadCatalog();
      } catch (UncheckedSQLException e) {
        String reason = String.valueOf(IoReason.of(e)).toLowerCase(Locale.ROOT);
        boolean made = reason.contains("already exists") || reason.contains("duplicate column");
        if (!made || attempt == LOADS) {
          throw e;
        }
      }
    }
  }

  /** What another command has made meanwhile is there. */
  private static void ensure(SupportsNamespaces namespaces, Namespace namespace) {
    if (namespaces.namespaceExists(namespace)) {
      return;
    }
    try {
      namespaces.createNamespace(namespace);
    } catch (RuntimeException e) {
      if (!namespaces.namespaceExists(namespace)) {
        throw e;
      }
    }
  }

  /** Without Hadoop's native library its local file system starts a process per written file. */
  private static Configuration hadoop() {
    Configuration configuration = new Configuration();
    configuration.set("fs.file.impl", LocalFiles.class.getName());
    return configuration;
  }

  public CatalogConfig config() {
    return config;
  }

  public Catalog catalog() {
    return catalog;
  }

  /** What a task uses to open the catalog again. */
  public CatalogLoader loader() {
    return loader;
  }

  /**
   * The same catalog for Flink's SQL, without a cache: every planning sees the newest snapshot. One
   * for all sessions, because it holds a connection of its own.
   */
  public synchronized FlinkCatalog flinkCatalog() {
    if (flinkCatalog == null) {
      flinkCatalog =
          new FlinkCatalog(
              config.name(),
              config.defaultNamespace(),
              Namespace.empty(),
              loader,
              Map.of("type", "iceberg"),
              false,
              -1);
    }
    return flinkCatalog;
  }

  /**
   * The identifier of a table name with one part (default namespace), two parts (namespace, table)
   * or three (this catalog, namespace, table).
   */
  public TableIdentifier identifier(List<String> parts) {
    List<String> inCatalog =
        parts.size() > 2 && parts.get(0).equalsIgnoreCase(config.name())
            ? parts.subList(1, parts.size())
            : parts;
    return inCatalog.size() == 1
        ? TableIdentifier.of(config.defaultNamespace(), inCatalog.get(0))
        : TableIdentifier.of(inCatalog.toArray(String[]::new));
  }

  private static void requireCatalogClass(CatalogConfig config) {
    String name = config.implementation();
    String problem;
    try {
      Class<?> found = Class.forName(name, false, Thread.currentThread().getContextClassLoader());
      if (Catalog.class.isAssignableFrom(found)) {
        return;
      }
      problem = "is no Iceberg catalog";
    } catch (ClassNotFoundException | LinkageError e) {
      problem = "is not on the class path";
    }
    throw new SluiceException(
        ErrorCode.CATALOG_CONFIG,
        "catalog '" + config.name() + "' cannot be made: the class " + name + " " + problem,
        "Check catalog-impl in the catalog configuration");
  }

  private static void prepareLocalWarehouse(String warehouse) {
    if (warehouse == null || !warehouse.startsWith("/")) {
      return;
    }
    try {
      Files.createDirectories(Path.of(warehouse));
    } catch (IOException e) {
      throw new SluiceException(
          ErrorCode.STORAGE,
          "the warehouse folder " + warehouse + " cannot be made: " + IoReason.of(e),
          "Set SLUICE_WAREHOUSE to a folder that this user may write",
          e);
    }
  }

  @Override
  public synchronized void close() {
    if (flinkCatalog != null) {
      flinkCatalog.close();
      flinkCatalog = null;
    }
    if (catalog instanceof AutoCloseable closeable) {
      try {
        closeable.close();
      } catch (Exception e) {
        throw CatalogErrors.unavailable("closing catalog '" + config.name() + "'", e);
      }
    }
  }
}
