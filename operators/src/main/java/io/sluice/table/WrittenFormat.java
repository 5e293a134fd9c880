package io.sluice.table;

import org.apache.iceberg.FileFormat;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableProperties;

/** The format in which a table wants its new data files. */
final class WrittenFormat {

  private WrittenFormat() {}

  /** The table's property {@code write.format.default}, else Iceberg's default. */
  static FileFormat of(Table table) {
    return FileFormat.fromString(
        table
            .properties()
            .getOrDefault(
                TableProperties.DEFAULT_FILE_FORMAT, TableProperties.DEFAULT_FILE_FORMAT_DEFAULT));
  }
}
