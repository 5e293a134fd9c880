package examples.postgres;

import java.io.IOException;
import java.io.StringReader;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.postgresql.copy.CopyManager;
import org.postgresql.core.BaseConnection;

/**
 * Random transactions against the tables, from two connections at a time. The first one works on
 * even keys, the second one on odd keys, so that they never wait for each other. Every committed
 * change goes to the {@link History} of its table.
 */
final class Workload implements AutoCloseable {

  private static final int KEYS = 40;

  private final Random random;
  private final RandomRows rows;
  private final Connection[] connections;
  private final Map<SourceTable, History> histories = new EnumMap<>(SourceTable.class);

  Workload(Random random, Postgres postgres) throws SQLException {
    this.random = random;
    this.rows = new RandomRows(random);
    this.connections = new Connection[] {postgres.connect(), postgres.connect()};
    for (Connection connection : connections) {
      connection.setAutoCommit(false);
    }
    for (SourceTable table : SourceTable.values()) {
      histories.put(table, new History());
    }
  }

  History history(SourceTable table) {
    return histories.get(table);
  }

  /** The histories begin with the rows that are there now. */
  void beginHistories(Connection connection) throws SQLException {
    for (SourceTable table : SourceTable.values()) {
      histories.put(table, new History());
      overlook(table, connection);
    }
  }

  /** Takes into a history what has become of its rows in the meantime. */
  void overlook(SourceTable table, Connection connection) throws SQLException {
    for (List<Object> row : table.rows(connection)) {
      history(table).add(new History.Change(table.key(row), Optional.of(row)));
    }
  }

  /** Runs transactions: one after the other, or two at a time of which either commits first. */
  void transactions(int count) throws SQLException, IOException {
    for (int i = 0; i < count; i++) {
      int first = random.nextInt(2);
      Transaction transaction = new Transaction(first);
      transaction.work();
      if (random.nextInt(3) == 0) {
        Transaction other = new Transaction(1 - first);
        other.work();
        transaction.work();
        if (random.nextBoolean()) {
          other.commit();
          transaction.work();
          transaction.commit();
        } else {
          transaction.commit();
          other.work();
          other.commit();
        }
      } else {
        transaction.commit();
      }
    }
  }

  /** A transaction that empties both tables between other changes. */
  void truncate() throws SQLException, IOException {
    Transaction transaction = new Transaction(0);
    transaction.work();
    connections[0].createStatement().execute("TRUNCATE items, parts");
    transaction.work();
    transaction.commit();
  }

  @Override
  public void close() throws SQLException {
    for (Connection connection : connections) {
      connection.close();
    }
  }

  /** An open transaction of one of the connections, and what it has done so far. */
  private final class Transaction {

    private final int parity;
    private final Connection connection;
    private final Map<SourceTable, List<History.Change>> pending = new EnumMap<>(SourceTable.class);

    Transaction(int parity) {
      this.parity = parity;
      this.connection = connections[parity];
    }

    void work() throws SQLException, IOException {
      for (int left = 1 + random.nextInt(4); left > 0; left--) {
        if (random.nextInt(3) > 0) {
          item();
        } else {
          part();
        }
      }
      if (random.nextInt(8) == 0) {
        manyItems();
      }
    }

    void commit() throws SQLException {
      if (random.nextInt(10) == 0) {
        connection.rollback();
        return;
      }
      connection.commit();
      pending.forEach((table, changes) -> changes.forEach(history(table)::add));
    }

    private void item() throws SQLException {
      int id = key();
      if (!exists(SourceTable.ITEMS, List.of(id))) {
        insertItem(id);
        return;
      }
      switch (random.nextInt(6)) {
        case 0 -> {
          execute("DELETE FROM items WHERE id = ?", id);
          saw(SourceTable.ITEMS, List.of(id));
        }
        case 1 -> {
          execute("DELETE FROM items WHERE id = ?", id);
          saw(SourceTable.ITEMS, List.of(id));
          insertItem(id);
        }
        case 2 -> {
          int other = key();
          if (!exists(SourceTable.ITEMS, List.of(other))) {
            // With the default replica identity a large value that does not change is not sent
            // for the new key either.
            execute("UPDATE items SET id = ?, note = ? WHERE id = ?", other, rows.note(), id);
            saw(SourceTable.ITEMS, List.of(id));
            saw(SourceTable.ITEMS, List.of(other));
          }
        }
        case 3 -> {
          execute("UPDATE items SET note = ? WHERE id = ?", rows.note(), id);
          saw(SourceTable.ITEMS, List.of(id));
        }
        default -> {
          execute(
              "UPDATE items SET name = ?, price = ?, changed = ?, doc = ?::jsonb WHERE id = ?",
              rows.name(),
              rows.price(),
              rows.time().toLocalDateTime(),
              rows.document(),
              id);
          saw(SourceTable.ITEMS, List.of(id));
        }
      }
    }

    private void insertItem(int id) throws SQLException {
      execute(
          "INSERT INTO items VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?::jsonb, ?)",
          id,
          rows.name(),
          rows.price(),
          rows.weight(),
          rows.flag(),
          rows.time().toLocalDateTime(),
          rows.time(),
          rows.time().toLocalDate(),
          rows.document(),
          rows.note());
      saw(SourceTable.ITEMS, List.of(id));
    }

    /** Rows that are loaded at once share a place in the log; an update touches many rows. */
    private void manyItems() throws SQLException, IOException {
      StringBuilder lines = new StringBuilder();
      List<Integer> ids = new ArrayList<>();
      for (int id = parity; id < KEYS; id += 2) {
        if (random.nextBoolean() && !exists(SourceTable.ITEMS, List.of(id))) {
          ids.add(id);
          lines.append(id).append('\t').append(random.nextInt(1000)).append("\t4.50\n");
        }
      }
      new CopyManager(connection.unwrap(BaseConnection.class))
          .copyIn("COPY items (id, name, price) FROM STDIN", new StringReader(lines.toString()));
      for (int id : ids) {
        saw(SourceTable.ITEMS, List.of(id));
      }
      execute("UPDATE items SET price = price + 1, active = NOT active WHERE id % 2 = ?", parity);
      for (List<Object> row : SourceTable.ITEMS.rows(connection, " WHERE id % 2 = ?", parity)) {
        saw(SourceTable.ITEMS, SourceTable.ITEMS.key(row));
      }
    }

    private void part() throws SQLException {
      List<Object> key = partKey();
      if (!exists(SourceTable.PARTS, key)) {
        execute(
            "INSERT INTO parts VALUES (?, ?, ?, ?)",
            key.get(0),
            key.get(1),
            random.nextLong(),
            rows.note());
        saw(SourceTable.PARTS, key);
        return;
      }
      switch (random.nextInt(4)) {
        case 0 -> execute("DELETE FROM parts WHERE a = ? AND b = ?", key.get(0), key.get(1));
        case 1 -> {
          List<Object> other = partKey();
          if (!exists(SourceTable.PARTS, other)) {
            execute(
                "UPDATE parts SET a = ?, b = ? WHERE a = ? AND b = ?",
                other.get(0),
                other.get(1),
                key.get(0),
                key.get(1));
            saw(SourceTable.PARTS, other);
          }
        }
        default ->
            execute(
                "UPDATE parts SET quantity = ? WHERE a = ? AND b = ?",
                random.nextInt(5),
                key.get(0),
                key.get(1));
      }
      saw(SourceTable.PARTS, key);
    }

    private int key() {
      return random.nextInt(KEYS / 2) * 2 + parity;
    }

    private List<Object> partKey() {
      return List.of(
          random.nextInt(4) * 2 + parity, random.nextBoolean() ? "left" : "ri'ght \"ö\"");
    }

    private boolean exists(SourceTable table, List<Object> key) throws SQLException {
      return table.row(connection, key).isPresent();
    }

    private void saw(SourceTable table, List<Object> key) throws SQLException {
      pending
          .computeIfAbsent(table, each -> new ArrayList<>())
          .add(new History.Change(key, table.row(connection, key)));
    }

    private void execute(String sql, Object... parameters) throws SQLException {
      try (var statement = connection.prepareStatement(sql)) {
        for (int i = 0; i < parameters.length; i++) {
          statement.setObject(i + 1, parameters[i]);
        }
        statement.executeUpdate();
      }
    }
  }
}
