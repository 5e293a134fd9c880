package examples.postgres;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** A transaction that other things happen beside. */
final class OpenTransaction implements AutoCloseable {

  private final Connection connection;

  OpenTransaction(Postgres postgres) throws SQLException {
    connection = postgres.connect();
    connection.setAutoCommit(false);
  }

  void execute(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** Its number in the database. */
  String id() {
    try (Statement statement = connection.createStatement();
        ResultSet id = statement.executeQuery("SELECT pg_current_xact_id()::xid::text")) {
      id.next();
      return id.getString(1);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  void commit() throws SQLException {
    connection.commit();
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
