package io.sluice.table;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.SluiceException;
import java.util.Map;
import java.util.Optional;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.TableUtil;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.TableIdentifier;

/** What is alike in the tables that stand beside a target: names, ownership, creation. */
enum SideTable {
  /** The {@link Companion}. */
  COMPANION("companion", "__log", "sluice.companion-of"),
  /** The {@link Quarantine}. */
  QUARANTINE("quarantine", "__quarantine", "sluice.quarantine-of");

  private final String role;
  private final String suffix;
  private final String ownership;

  /**
   * @param ownership the table property that names the target
   */
  SideTable(String role, String suffix, String ownership) {
    this.role = role;
    this.suffix = suffix;
    this.ownership = ownership;
  }

  /** Its name beside a target. */
  TableIdentifier of(TableIdentifier target) {
    return TableIdentifier.of(target.namespace(), target.name() + suffix);
  }

  /**
   * Opens it; empty if there is none yet.
   *
   * @throws SluiceException TABLE_NOT_MANAGED if a foreign table has its name
   */
  Optional<Table> open(Catalog catalog, TableIdentifier target) {
    Optional<Table> table = TargetTables.open(catalog, of(target));
    if (table.isPresent() && !table.get().properties().containsKey(ownership)) {
      throw new SluiceException(
          ErrorCode.TABLE_NOT_MANAGED,
          "table " + table.get().name() + " is not the " + role + " of " + target,
          "Rename it: the name belongs to the " + role + " of " + target);
    }
    return table;
  }

  /** Creates it in the format version of its target. */
  Table create(
      Catalog catalog,
      TableIdentifier target,
      Table targetTable,
      Schema schema,
      PartitionSpec partitioning) {
    TargetTables.requireNoView(catalog, of(target));
    return catalog.createTable(
        of(target),
        schema,
        partitioning,
        Map.of(
            ownership,
            target.toString(),
            TableProperties.FORMAT_VERSION,
            Integer.toString(TableUtil.formatVersion(targetTable)),
            TableProperties.METADATA_DELETE_AFTER_COMMIT_ENABLED,
            "true",
            TableProperties.METADATA_PREVIOUS_VERSIONS_MAX,
            "20",
            TableProperties.PARQUET_COMPRESSION,
            "zstd"));
  }
}
