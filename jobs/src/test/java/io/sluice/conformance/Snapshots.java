package io.sluice.conformance;

/**
 * Snapshot flows that the tests of this package share; ids and towns by version, from {@code in}.
 */
final class Snapshots {

  static final String FILES =
      "read_files('${dir}/in', format => 'json', schema => 'version INT, id INT, town STRING')";

  /** The rows of a version. */
  static final String ROWS =
      "FROM SNAPSHOT (SELECT id, town FROM "
          + FILES
          + " WHERE version = (SELECT version FROM current_snapshot_version()))\n";

  /** The least version above the last one. */
  static final String NEXT =
      "WITH VERSION (SELECT MIN(version) AS version FROM "
          + FILES
          + " WHERE version > COALESCE((SELECT version FROM last_snapshot_version()), 0)"
          + " HAVING MIN(version) IS NOT NULL)\n";

  private Snapshots() {}

  static String table(String table) {
    return "CREATE STREAMING TABLE " + table + ";\n";
  }

  /** The flow {@code <table>_snapshots}. */
  static String flow(String table, String source, String clauses) {
    return flow(table + "_snapshots", "", table, source, clauses);
  }

  /** The same, run once. */
  static String once(String table, String source, String clauses) {
    return flow(table + "_snapshots", "ONCE", table, source, clauses);
  }

  static String flow(String name, String once, String table, String source, String clauses) {
    return "CREATE FLOW %s AS AUTO CDC %s INTO %s %s KEYS (id) %s;\n"
        .formatted(name, once, table, source, clauses);
  }

  static String row(int version, int id, String town) {
    return "{'version':%d,'id':%d,'town':'%s'}".formatted(version, id, town);
  }
}
