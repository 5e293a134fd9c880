package examples.postgres;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * A PostgreSQL server of this process, with a database {@code shop} whose changes can be read from
 * its log ({@code wal_level = logical}). It and its data are gone after {@link #close()}.
 */
public final class Postgres implements AutoCloseable {

  /** The one database. */
  public static final String DATABASE = "shop";

  private final EmbeddedPostgres server;

  private Postgres(EmbeddedPostgres server) {
    this.server = server;
  }

  /**
   * Starts it on a free port.
   *
   * @throws IOException if the server does not start
   */
  public static Postgres start() throws IOException, SQLException {
    Postgres postgres =
        new Postgres(
            EmbeddedPostgres.builder()
                .setServerConfig("wal_level", "logical")
                .setServerConfig("timezone", "UTC")
                .start());
    try (Connection connection = postgres.server.getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE DATABASE " + DATABASE);
    }
    return postgres;
  }

  /** A connection to the database as its superuser; every statement commits by itself. */
  public Connection connect() throws SQLException {
    return server.getDatabase("postgres", DATABASE).getConnection();
  }

  /** The port on localhost. */
  public int port() {
    return server.getPort();
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
