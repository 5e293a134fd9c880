package io.sluice.api;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Files as a source: {@code read_files} (semantics 17.4). Immutable. */
public final class FileSource extends Source {

  private final String path;
  private final Map<String, String> options;
  private final boolean stream;

  FileSource(String path) {
    this(path, Map.of(), true);
  }

  private FileSource(String path, Map<String, String> options, boolean stream) {
    super("", Optional.empty(), List.of(), Optional.empty());
    this.path = path;
    this.options = options;
    this.stream = stream;
  }

  /** An option of {@code read_files}, for example {@code modifiedAfter}. */
  public FileSource option(String name, Object value) {
    Map<String, String> more = new LinkedHashMap<>(options);
    more.put(name, String.valueOf(value));
    return new FileSource(path, more, stream);
  }

  /** {@code json}, {@code csv}, {@code parquet} or {@code avro}. */
  public FileSource format(String format) {
    return option("format", format);
  }

  /** The columns, as {@code id INT, name STRING, at TIMESTAMP}; without them they are inferred. */
  public FileSource schema(String columns) {
    return option("schema", columns);
  }

  /** All files in every run of the flow: for ONCE flows, and for files that are joined. */
  public FileSource batch() {
    return new FileSource(path, options, false);
  }

  @Override
  String reference() {
    String arguments =
        options.entrySet().stream()
            .map(option -> ", " + option.getKey() + " => " + literal(option.getValue()))
            .collect(Collectors.joining());
    return (stream ? "STREAM " : "") + "read_files(" + literal(path) + arguments + ")";
  }

  private static String literal(String text) {
    return "'" + text.replace("'", "''") + "'";
  }
}
