package io.sluice.plan;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.Problem;
import io.sluice.errors.SluiceException;
import io.sluice.files.FileEntry;
import io.sluice.files.FileListing;
import io.sluice.files.ReadFilesOptions;
import io.sluice.sql.SourceReference;
import io.sluice.sql.SourceReference.FunctionReference;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.TimestampData;
import org.apache.flink.table.types.logical.BigIntType;
import org.apache.flink.table.types.logical.LocalZonedTimestampType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.VarCharType;

/**
 * Table functions whose rows are known before a job starts: list_files and the version functions of
 * snapshot flows (semantics 2.3, 17.4).
 */
final class FunctionSources {

  /** The version that was committed last; no row before the first one. */
  static final String LAST_VERSION = "last_snapshot_version";

  /** The version of the snapshot that is being read. */
  static final String CURRENT_VERSION = "current_snapshot_version";

  private static final String LIST_FILES = "list_files";

  private static final Set<String> LISTING_OPTIONS =
      Set.of("pathglobfilter", "modifiedafter", "modifiedbefore");

  private static final RowType FILE =
      new RowType(
          false,
          List.of(
              new RowType.RowField("path", VarCharType.STRING_TYPE.copy(false)),
              new RowType.RowField("name", VarCharType.STRING_TYPE.copy(false)),
              new RowType.RowField("size", new BigIntType(false)),
              new RowType.RowField("modification_time", new LocalZonedTimestampType(false, 3))));

  private FunctionSources() {}

  /**
   * Resolves a call.
   *
   * @param versions the version functions that have a meaning where the call stands
   * @throws SluiceException UNRESOLVABLE_TABLE_VALUED_FUNCTION, NOT_SUPPORTED_YET, or an error in
   *     the arguments
   */
  static ResolvedSource resolve(FunctionReference function, Map<String, RowType> versions) {
    return switch (function.name()) {
      case LAST_VERSION, CURRENT_VERSION -> version(function, versions);
      case LIST_FILES -> listing(function);
      default ->
          throw located(
              function,
              ErrorCode.NOT_SUPPORTED_YET,
              "the source function " + function.name() + " is not supported yet",
              "Read files with read_files or a table with STREAM");
    };
  }

  private static ResolvedSource version(FunctionReference function, Map<String, RowType> versions) {
    RowType columns = versions.get(function.name());
    if (columns == null) {
      throw misplaced(function);
    }
    if (!function.arguments().isEmpty()) {
      throw located(
          function,
          ErrorCode.UNRESOLVABLE_TABLE_VALUED_FUNCTION,
          function.name() + " takes no argument",
          "Write " + function.name() + "()");
    }
    return new ResolvedSource.Rows(function, "function:" + function.name(), columns, List.of());
  }

  /** The error for a version function where it has no meaning. */
  static SluiceException misplaced(FunctionReference function) {
    boolean last = function.name().equals(LAST_VERSION);
    return located(
        function,
        ErrorCode.UNRESOLVABLE_TABLE_VALUED_FUNCTION,
        function.name() + "() has no meaning here",
        last
            ? "Write it inside WITH VERSION (..) itself, not in a view or another query"
            : "Write it inside FROM SNAPSHOT (..) of a flow that has WITH VERSION, not in a view or"
                + " another query");
  }

  static boolean isVersionFunction(FunctionReference function) {
    return function.name().equals(LAST_VERSION) || function.name().equals(CURRENT_VERSION);
  }

  /** The same sources, a version function with these columns and rows. */
  static Map<SourceReference, ResolvedSource> with(
      Map<SourceReference, ResolvedSource> sources,
      String function,
      RowType columns,
      List<RowData> rows) {
    Map<SourceReference, ResolvedSource> changed = new IdentityHashMap<>(sources);
    changed.replaceAll(
        (reference, source) ->
            reference instanceof FunctionReference call && call.name().equals(function)
                ? new ResolvedSource.Rows(reference, source.id(), columns, rows)
                : source);
    return changed;
  }

  private static ResolvedSource listing(FunctionReference function) {
    if (function.stream()) {
      throw located(
          function,
          ErrorCode.NOT_SUPPORTED_YET,
          "STREAM " + LIST_FILES + " is not supported yet",
          "Leave STREAM out: the files are listed anew in every update");
    }
    String path = null;
    Map<String, String> options = new LinkedHashMap<>();
    for (SourceReference.Argument argument : function.arguments()) {
      String name = argument.name().orElse("path");
      if (name.equalsIgnoreCase("path") && path == null) {
        path = argument.value().text();
      } else if (LISTING_OPTIONS.contains(name.toLowerCase(java.util.Locale.ROOT))) {
        options.put(name, argument.value().text());
      } else {
        throw new SluiceException(
            Problem.at(
                argument.value().at(),
                ErrorCode.UNKNOWN_OPTION,
                LIST_FILES + " has no option " + name,
                "It takes a path and " + new TreeSet<>(LISTING_OPTIONS)));
      }
    }
    if (path == null) {
      throw located(
          function,
          ErrorCode.SYNTAX,
          LIST_FILES + " has no path",
          "Write list_files('path or glob')");
    }
    options.put("format", "json");
    List<RowData> rows =
        FileListing.list(ReadFilesOptions.of(path, options)).stream()
            .map(FunctionSources::row)
            .toList();
    return new ResolvedSource.Rows(function, LIST_FILES + ":" + path, FILE, rows);
  }

  private static RowData row(FileEntry file) {
    return GenericRowData.of(
        StringData.fromString(file.path()),
        StringData.fromString(file.name()),
        file.size(),
        TimestampData.fromEpochMillis(file.modificationTimeMs()));
  }

  private static SluiceException located(
      FunctionReference function, ErrorCode code, String message, String remedy) {
    return new SluiceException(Problem.at(function.at(), code, message, remedy));
  }
}
