package io.sluice.catalog;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;

/** Whether the SQLite file of a JDBC catalog can be read at all. */
final class SqliteLock {

  private static final String SCHEME = "jdbc:sqlite:";
  private static final String PREFIX = "jdbc.";

  private SqliteLock() {}

  /**
   * Waits until the file is free, for the {@code busy_timeout} of its uri at most. Iceberg's
   * catalog asks five times before it gives up, and waits that long each time.
   *
   * @throws SQLException if somebody else keeps it locked, or it is no database
   */
  static void await(CatalogConfig config) throws SQLException {
    String uri = config.properties().getOrDefault("uri", "");
    if (!uri.startsWith(SCHEME)) {
      return;
    }
    Properties properties = new Properties();
    config
        .properties()
        .forEach(
            (key, value) -> {
              if (key.startsWith(PREFIX)) {
                properties.setProperty(key.substring(PREFIX.length()), value);
              }
            });
    try (Connection connection = DriverManager.getConnection(uri, properties);
        Statement statement = connection.createStatement()) {
      statement.executeQuery("SELECT 1 FROM sqlite_master LIMIT 1").close();
    }
  }
}
