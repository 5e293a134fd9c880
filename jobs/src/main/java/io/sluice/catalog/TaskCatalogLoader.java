package io.sluice.catalog;

import java.sql.Driver;
import java.util.ServiceLoader;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.flink.CatalogLoader;

/**
 * Opens a catalog wherever a job's tasks run. JDBC's manager of drivers looks for them once in the
 * life of a process, with the class loader of the first job; every other job on a task manager has
 * another one, and would find no driver.
 */
final class TaskCatalogLoader implements CatalogLoader {

  private static final long serialVersionUID = 1L;

  private final CatalogLoader loader;

  TaskCatalogLoader(CatalogLoader loader) {
    this.loader = loader;
  }

  @Override
  public Catalog loadCatalog() {
    registerDrivers();
    return loader.loadCatalog();
  }

  /** A driver registers itself when its class is loaded; once for each class loader. */
  private static void registerDrivers() {
    ServiceLoader.load(Driver.class, TaskCatalogLoader.class.getClassLoader()).stream()
        .forEach(ServiceLoader.Provider::get);
  }

  @Override
  public CatalogLoader clone() {
    return new TaskCatalogLoader(loader.clone());
  }
}
