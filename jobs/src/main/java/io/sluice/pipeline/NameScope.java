package io.sluice.pipeline;

import io.sluice.sql.QualifiedName;

/**
 * What short table names stand for at a place of the file: the catalog and namespace in force there
 * (USE).
 *
 * @param ownCatalog name of the catalog of the catalog configuration
 * @param catalog current catalog
 * @param namespace current namespace
 */
public record NameScope(String ownCatalog, String catalog, String namespace) {

  /** The scope at the beginning of a file. */
  public static NameScope initial(String ownCatalog, String defaultNamespace) {
    return new NameScope(ownCatalog, ownCatalog, defaultNamespace);
  }

  /**
   * The full name: namespace and table in the own catalog, catalog, namespace and table in any
   * other.
   */
  public QualifiedName full(QualifiedName name) {
    return switch (name.parts().size()) {
      case 1 -> inCatalog(catalog, namespace, name.last());
      case 2 -> inCatalog(catalog, name.parts().get(0), name.last());
      default ->
          name.parts().size() == 3
              ? inCatalog(name.parts().get(0), name.parts().get(1), name.last())
              : name;
    };
  }

  private QualifiedName inCatalog(String catalogName, String namespaceName, String table) {
    return catalogName.equalsIgnoreCase(ownCatalog)
        ? QualifiedName.of(namespaceName, table)
        : QualifiedName.of(catalogName, namespaceName, table);
  }

  /** The scope behind {@code USE CATALOG name} or {@code USE name}. */
  NameScope afterUse(QualifiedName name, boolean isCatalog) {
    if (isCatalog) {
      return new NameScope(ownCatalog, name.last(), "default");
    }
    return name.parts().size() == 2
        ? new NameScope(ownCatalog, name.parts().get(0), name.last())
        : new NameScope(ownCatalog, catalog, name.last());
  }
}
