package io.sluice.benchmarks;

import java.nio.file.Path;
import java.util.Map;

/** The pipelines that are measured; each has one table. */
final class Pipelines {

  private Pipelines() {}

  /** Flink's settings of a continuous run, and a short pause between two looks at a folder. */
  static String settings(Map<String, String> flink) {
    StringBuilder sql = new StringBuilder("SET 'sluice.discovery-interval' = '200 ms';\n");
    flink.forEach((key, value) -> sql.append("SET '%s' = '%s';%n".formatted(key, value)));
    return sql.toString();
  }

  /** An AUTO CDC target of a feed. */
  static String cdc(String table, int scdType, Path feed) {
    return cdc(table, scdType, feed, "");
  }

  /** The same with a further clause. */
  static String cdc(String table, int scdType, Path feed, String clause) {
    return cdc(table, scdType, readFiles(feed), clause);
  }

  /** The same of any source. */
  static String cdc(String table, int scdType, String source, String clause) {
    return """
        CREATE STREAMING TABLE %1$s;
        CREATE FLOW %1$s_changes AS AUTO CDC INTO %1$s
        FROM STREAM %3$s
        KEYS (id) APPLY AS DELETE WHEN op = 'D' SEQUENCE BY n
        COLUMNS * EXCEPT (op, n) STORED AS SCD TYPE %2$d %4$s;
        """
        .formatted(table, scdType, source, clause);
  }

  /** A bitemporal target of a {@link TwoAxisFeed}. */
  static String bitemporal(String table, Path feed) {
    return twoAxes(table, feed, "SYSTEM SEQUENCE BY s", "BITEMPORAL");
  }

  /** An SCD type 2 target of a {@link TwoAxisFeed}, by its business axis. */
  static String scd2(String table, Path feed) {
    return twoAxes(table, feed, "", "SCD TYPE 2");
  }

  private static String twoAxes(String table, Path feed, String system, String stored) {
    return """
        CREATE STREAMING TABLE %1$s;
        CREATE FLOW %1$s_changes AS AUTO CDC INTO %1$s
        FROM STREAM read_files('%2$s', format => 'json', schema => '%3$s')
        KEYS (id) APPLY AS DELETE WHEN op = 'D' SEQUENCE BY n %4$s
        COLUMNS * EXCEPT (op, n, s) STORED AS %5$s;
        """
        .formatted(table, feed, TwoAxisFeed.SCHEMA, system, stored);
  }

  /** A table of the feed's rows as they are. */
  static String append(String table, Path feed) {
    return "CREATE STREAMING TABLE %s AS SELECT * FROM STREAM %s;"
        .formatted(table, readFiles(feed));
  }

  /** A topic with the events of a feed. */
  static String readKafka(String servers, String topic) {
    return "read_kafka(bootstrapServers => '%s', topic => '%s', format => 'json', schema => '%s')"
        .formatted(servers, topic, Feed.SCHEMA);
  }

  private static String readFiles(Path feed) {
    return "read_files('%s', format => 'json', schema => '%s')".formatted(feed, Feed.SCHEMA);
  }
}
