package io.sluice.plan;

import io.sluice.files.ReadFilesOptions;
import io.sluice.sql.QualifiedName;
import java.nio.file.Path;
import java.util.Locale;

/** What ledgers call sources. An id must never change its meaning: positions hang on it. */
final class SourceIds {

  private SourceIds() {}

  static String ofTable(QualifiedName full) {
    return "table:" + full.toString().toLowerCase(Locale.ROOT);
  }

  /**
   * The name alone: brokers come and go, and a topic of another cluster has another id, which the
   * position keeps.
   */
  static String ofTopic(String topic) {
    return "kafka:" + topic;
  }

  /** Path and file filter; other options may change without reading anything twice. */
  static String ofFiles(ReadFilesOptions options) {
    boolean hasScheme = options.path().matches("[A-Za-z][A-Za-z0-9+.-]+:.*");
    String path =
        hasScheme
            ? options.path()
            : Path.of(options.path()).toAbsolutePath().normalize().toString();
    return "files:" + path + options.pathGlobFilter().map(filter -> "?" + filter).orElse("");
  }
}
