package io.sluice.benchmarks;

import java.nio.file.Path;

/** The pipelines that are measured; each has one table. */
final class Pipelines {

  private Pipelines() {}

  /** An AUTO CDC target of a feed. */
  static String cdc(String table, int scdType, Path feed) {
    return cdc(table, scdType, feed, "");
  }

  /** The same with a further clause. */
  static String cdc(String table, int scdType, Path feed, String clause) {
    return """
        CREATE STREAMING TABLE %1$s;
        CREATE FLOW %1$s_changes AS AUTO CDC INTO %1$s
        FROM STREAM %3$s
        KEYS (id) APPLY AS DELETE WHEN op = 'D' SEQUENCE BY n
        COLUMNS * EXCEPT (op, n) STORED AS SCD TYPE %2$d %4$s;
        """
        .formatted(table, scdType, readFiles(feed), clause);
  }

  /** A table of the feed's rows as they are. */
  static String append(String table, Path feed) {
    return "CREATE STREAMING TABLE %s AS SELECT * FROM STREAM %s;"
        .formatted(table, readFiles(feed));
  }

  private static String readFiles(Path feed) {
    return "read_files('%s', format => 'json', schema => '%s')".formatted(feed, Feed.SCHEMA);
  }
}
