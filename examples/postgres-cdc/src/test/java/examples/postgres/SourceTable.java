package examples.postgres;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A table of the database under test, and how its rows are read. */
enum SourceTable {
  /** A simple key, every common type, a large column, only the key in old rows. */
  ITEMS(
      "items",
      1,
      """
      CREATE TABLE items (id INT PRIMARY KEY, name TEXT, price NUMERIC(12, 2),
        weight DOUBLE PRECISION, active BOOLEAN, changed TIMESTAMP(6), seen TIMESTAMPTZ,
        born DATE, doc JSONB, note TEXT);
      ALTER TABLE items ALTER note SET STORAGE EXTERNAL;
      """),
  /** A key of two columns, whole old rows. */
  PARTS(
      "parts",
      2,
      """
      CREATE TABLE parts (a INT, b TEXT, quantity BIGINT, note TEXT, PRIMARY KEY (a, b));
      ALTER TABLE parts ALTER note SET STORAGE EXTERNAL;
      ALTER TABLE parts REPLICA IDENTITY FULL;
      """);

  final String table;
  final String ddl;
  private final int keyColumns;

  SourceTable(String table, int keyColumns, String ddl) {
    this.table = table;
    this.keyColumns = keyColumns;
    this.ddl = ddl;
  }

  /** The topic to which Debezium sends its changes. */
  String topic() {
    return "shop.public." + table;
  }

  /** The key of a row. */
  List<Object> key(List<Object> row) {
    return row.subList(0, keyColumns);
  }

  /** All rows. */
  List<List<Object>> rows(Connection connection) throws SQLException {
    return rows(connection, "");
  }

  /** The row of a key, as the open transaction of the connection sees it. */
  Optional<List<Object>> row(Connection connection, List<Object> key) throws SQLException {
    String where = keyColumns == 1 ? " WHERE id = ?" : " WHERE a = ? AND b = ?";
    return rows(connection, where, key.toArray()).stream().findFirst();
  }

  /** The rows behind a WHERE clause. */
  List<List<Object>> rows(Connection connection, String where, Object... parameters)
      throws SQLException {
    try (PreparedStatement query = connection.prepareStatement("SELECT * FROM " + table + where)) {
      for (int i = 0; i < parameters.length; i++) {
        query.setObject(i + 1, parameters[i]);
      }
      List<List<Object>> rows = new ArrayList<>();
      try (ResultSet result = query.executeQuery()) {
        while (result.next()) {
          List<Object> row = new ArrayList<>();
          for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
            row.add(shortened(value(result, i)));
          }
          rows.add(row);
        }
      }
      return rows;
    }
  }

  /** A large text as its beginning, length and hash. */
  static Object shortened(Object value) {
    return value instanceof String text && text.length() > 100
        ? text.substring(0, 5) + ".. " + text.length() + " " + text.hashCode()
        : value;
  }

  private static Object value(ResultSet result, int column) throws SQLException {
    Object value = result.getObject(column);
    if (value == null) {
      return null;
    }
    return switch (result.getMetaData().getColumnTypeName(column)) {
      case "timestamp" -> result.getObject(column, LocalDateTime.class).atOffset(ZoneOffset.UTC);
      case "timestamptz" -> result.getObject(column, OffsetDateTime.class);
      case "date" -> result.getObject(column, LocalDate.class);
      case "jsonb" -> result.getString(column);
      default -> value;
    };
  }
}
