package io.sluice.sql;

import io.sluice.errors.SourceLocation;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Something that a query reads from outside of itself. */
public sealed interface SourceReference {

  /** Place of the name or, for a stream, of STREAM. */
  SourceLocation at();

  /** Whether it is read incrementally: {@code STREAM t}, {@code STREAM(t)}. */
  boolean stream();

  /**
   * A table or view.
   *
   * @param name without a LIVE prefix
   * @param withOptions {@code WITH (readChangeFeed = true)}, keys as written
   */
  record TableReference(
      SourceLocation at, QualifiedName name, boolean stream, Map<String, String> withOptions)
      implements SourceReference {

    public TableReference {
      withOptions = Collections.unmodifiableMap(new LinkedHashMap<>(withOptions));
    }
  }

  /**
   * {@code read_files('path', option => value, ..)} (semantics 17.4).
   *
   * @param path path or glob
   * @param options in the order written, keys as written
   */
  record ReadFiles(SourceLocation at, String path, Map<String, OptionValue> options, boolean stream)
      implements SourceReference {

    public ReadFiles {
      options = Collections.unmodifiableMap(new LinkedHashMap<>(options));
    }
  }

  /**
   * Another table function that Sluice provides: read_kafka, table_changes, scd2_changes,
   * list_files, last_snapshot_version, current_snapshot_version.
   *
   * @param name in lower case
   */
  record FunctionReference(SourceLocation at, String name, List<Argument> arguments, boolean stream)
      implements SourceReference {

    public FunctionReference {
      arguments = List.copyOf(arguments);
    }
  }

  /**
   * Argument of a {@link FunctionReference}.
   *
   * @param name of {@code name => value}
   * @param value literal content or text
   * @param table the table of {@code TABLE t}
   */
  record Argument(Optional<String> name, OptionValue value, Optional<TableReference> table) {}
}
