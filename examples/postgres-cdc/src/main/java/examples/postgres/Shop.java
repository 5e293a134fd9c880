package examples.postgres;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** A small database of customers and their orders, and what happens in it. */
final class Shop implements AutoCloseable {

  /** What both sides are asked; the values are the same texts on either side. */
  static final List<Question> QUESTIONS =
      List.of(
          new Question(
              "customers",
              List.of("id", "name", "city", "tier", "length of notes"),
              "SELECT id, name, city, tier, CHAR_LENGTH(notes) FROM customers ORDER BY id"),
          new Question(
              "orders",
              List.of("customer_id", "line", "item", "amount"),
              "SELECT customer_id, line, item, CAST(amount AS VARCHAR(20)) FROM orders"
                  + " ORDER BY customer_id, line"));

  private static final String DDL =
      """
      CREATE TABLE customers (
        id BIGINT PRIMARY KEY, name TEXT, city TEXT, tier TEXT, since DATE, notes TEXT);
      -- Large notes lie outside of the row and are not sent when they do not change.
      ALTER TABLE customers ALTER notes SET STORAGE EXTERNAL;
      CREATE TABLE orders (
        customer_id BIGINT, line INT, item TEXT, amount NUMERIC(10, 2), placed_at TIMESTAMPTZ,
        PRIMARY KEY (customer_id, line));
      INSERT INTO customers VALUES
        (1, 'Ada Arnold', 'Bergen', 'basic', '2024-02-01', repeat('likes long letters ', 300)),
        (2, 'Bruno Bakker', 'Gent', 'silver', '2024-06-15', NULL),
        (3, 'Chloe Costa', 'Turku', 'basic', '2025-01-20', NULL);
      INSERT INTO orders VALUES
        (1, 1, 'kettle', 39.90, '2026-01-05 10:00:00Z'),
        (2, 1, 'lamp', 84.00, '2026-01-06 11:30:00Z');
      """;

  /** What happens, a transaction each. */
  static final List<Moment> MOMENTS =
      List.of(
          new Moment(
              "an order, a move and a new customer, in one transaction",
              """
              BEGIN;
              INSERT INTO orders VALUES (1, 2, 'teapot', 24.50, '2026-01-07 09:15:00Z');
              UPDATE customers SET city = 'Lyon' WHERE id = 1;
              INSERT INTO customers VALUES (4, 'Dmitri Ek', 'Krakow', 'gold', '2026-01-07', NULL);
              COMMIT;
              """),
          new Moment(
              "a price is corrected, customer 2 gets the number 20, customer 3 leaves",
              """
              BEGIN;
              UPDATE orders SET amount = 79.00 WHERE customer_id = 2 AND line = 1;
              UPDATE orders SET customer_id = 20 WHERE customer_id = 2;
              UPDATE customers SET id = 20 WHERE id = 2;
              DELETE FROM customers WHERE id = 3;
              COMMIT;
              """),
          new Moment(
              "customer 1 rises twice and moves back, the orders are emptied",
              """
              UPDATE customers SET tier = 'silver' WHERE id = 1;
              UPDATE customers SET tier = 'gold' WHERE id = 1;
              UPDATE customers SET city = 'Bergen' WHERE id = 1;
              BEGIN;
              TRUNCATE orders;
              INSERT INTO orders VALUES (4, 1, 'clock', 120.00, '2026-01-08 16:45:00Z');
              COMMIT;
              """));

  private final Connection connection;

  /** Makes the tables and their first rows. */
  Shop(Postgres postgres) throws SQLException {
    this.connection = postgres.connect();
    execute(DDL);
  }

  /** A query of a table, in the SQL of both sides. */
  record Question(String table, List<String> columns, String sql) {}

  /** Something that happens. */
  record Moment(String what, String sql) {}

  void happens(Moment moment) throws SQLException {
    execute(moment.sql());
  }

  private void execute(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** The rows of a query, values as texts. */
  List<List<String>> query(String sql) throws SQLException {
    List<List<String>> rows = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      while (result.next()) {
        List<String> row = new ArrayList<>();
        for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
          String value = result.getString(i);
          row.add(value == null ? "NULL" : value);
        }
        rows.add(row);
      }
    }
    return rows;
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
