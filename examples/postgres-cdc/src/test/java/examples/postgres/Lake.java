package examples.postgres;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.data.IcebergGenerics;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.exceptions.NoSuchTableException;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.jdbc.JdbcCatalog;

/** The tables that Sluice keeps, read with nothing but Iceberg. */
final class Lake implements AutoCloseable {

  private static final Pattern POSITION = Pattern.compile("sluice\\.flow\\.(.*)\\.position");
  private static final Pattern OFFSET = Pattern.compile("\"(\\d+)\":(\\d+)");

  private final JdbcCatalog catalog = new JdbcCatalog();

  Lake(Path warehouse) {
    catalog.setConf(new Configuration());
    catalog.initialize(
        "local",
        Map.of(
            "warehouse",
            warehouse.toString(),
            "uri",
            "jdbc:sqlite:" + warehouse.resolve("catalog.db") + "?busy_timeout=20000",
            "jdbc.schema-version",
            "V1"));
  }

  /** The rows of a table, in no order. */
  List<Record> rows(String table) {
    List<Record> rows = new ArrayList<>();
    try (CloseableIterable<Record> records = IcebergGenerics.read(load(table)).build()) {
      records.forEach(record -> rows.add(record.copy()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return rows;
  }

  /** By partition the offset of the next message that the one flow of a table reads. */
  Map<Integer, Long> nextOffsets(String table) {
    Map<Integer, Long> next = new TreeMap<>();
    Snapshot snapshot;
    try {
      snapshot = load(table).currentSnapshot();
    } catch (NoSuchTableException e) {
      return next;
    }
    if (snapshot != null) {
      snapshot
          .summary()
          .forEach(
              (key, value) -> {
                if (POSITION.matcher(key).matches()) {
                  Matcher offsets = OFFSET.matcher(value);
                  while (offsets.find()) {
                    next.put(Integer.valueOf(offsets.group(1)), Long.valueOf(offsets.group(2)));
                  }
                }
              });
    }
    return next;
  }

  private Table load(String table) {
    return catalog.loadTable(TableIdentifier.of("default", table));
  }

  @Override
  public void close() {
    catalog.close();
  }
}
