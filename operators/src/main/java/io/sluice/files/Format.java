package io.sluice.files;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The file formats of read_files (semantics 17.4). */
public enum Format {
  /** One JSON object per line. */
  JSON(".json", ".jsonl", ".ndjson"),
  /** Delimited text, quoted as in RFC 4180. */
  CSV(".csv"),
  PARQUET(".parquet"),
  AVRO(".avro");

  private static final String GZIP_ENDING = ".gz";

  private final List<String> endings;

  Format(String... endings) {
    this.endings = List.of(endings);
  }

  /** Whether files of this format are text, and so may be gzip-compressed as a whole. */
  public boolean isText() {
    return this == JSON || this == CSV;
  }

  /** The format that the ending of a file name says; empty where it says none. */
  public static Optional<Format> ofFileName(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    boolean compressed = isCompressed(lower);
    String bare = compressed ? lower.substring(0, lower.length() - GZIP_ENDING.length()) : lower;
    for (Format format : values()) {
      if (format.endings.stream().anyMatch(bare::endsWith) && (!compressed || format.isText())) {
        return Optional.of(format);
      }
    }
    return Optional.empty();
  }

  /** Whether the file's content is compressed as a whole; said by the ending {@code .gz}. */
  static boolean isCompressed(String name) {
    return name.toLowerCase(Locale.ROOT).endsWith(GZIP_ENDING);
  }
}
