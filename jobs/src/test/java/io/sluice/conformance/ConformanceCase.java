package io.sluice.conformance;

import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * One case: a feed that arrives in several updates, and the exact rows after them.
 *
 * @param id names the case and its tables
 * @param flow the flow behind INTO: its source and all clauses
 * @param updates JSON lines that arrive before each update
 * @param expected rows by the number of the update, from 1; each as column to value
 * @param columns the table's columns as {@code name type required|optional}; empty if not checked
 */
record ConformanceCase(
    String id,
    String flow,
    List<List<String>> updates,
    Map<Integer, List<Map<String, Object>>> expected,
    List<String> columns) {

  ConformanceCase {
    updates = List.copyOf(updates);
    expected = Map.copyOf(expected);
    columns = List.copyOf(columns);
  }

  /** Name of the case's table of an Iceberg format version. */
  String table(int formatVersion) {
    return feed() + "_v" + formatVersion;
  }

  /** Name of the case's folder. */
  String feed() {
    return feedOf(id);
  }

  static String feedOf(String id) {
    return id.toLowerCase(Locale.ROOT).replace('-', '_');
  }

  /** The statements that keep a table of a format version. */
  String sql(int formatVersion) {
    return """
    CREATE STREAMING TABLE %1$s TBLPROPERTIES ('format-version' = '%2$d');
    CREATE FLOW %1$s_flow AS AUTO CDC INTO %1$s
    %3$s;
    """
        .formatted(table(formatVersion), formatVersion, flow);
  }
}
