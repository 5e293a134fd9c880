package io.sluice.files;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.SluiceException;
import java.io.Serializable;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;

/**
 * The arguments of one read_files call (semantics 17.4).
 *
 * @param path file, folder or glob, as written
 * @param format given, or found by the ending of the file names
 * @param schemaText the declared columns; empty where they are inferred
 * @param inferColumnTypes false: every inferred column of JSON and CSV files is a STRING
 * @param mode what happens to fields without a column
 * @param modifiedAfter only files modified later than this instant
 * @param modifiedBefore only files modified earlier than this instant
 * @param maxFilesPerTrigger files per commit; empty is no limit
 * @param pathGlobFilter glob that a file's name has to match
 * @param header CSV: the first record of a file names its columns
 * @param delimiter CSV: one ASCII character between two fields
 */
public record ReadFilesOptions(
    String path,
    Format format,
    Optional<String> schemaText,
    boolean inferColumnTypes,
    SchemaEvolutionMode mode,
    Optional<Instant> modifiedAfter,
    Optional<Instant> modifiedBefore,
    OptionalInt maxFilesPerTrigger,
    Optional<String> pathGlobFilter,
    boolean header,
    char delimiter)
    implements Serializable {

  public ReadFilesOptions {
    Objects.requireNonNull(path, "path");
    Objects.requireNonNull(format, "format");
    Objects.requireNonNull(mode, "mode");
  }

  /**
   * Reads the arguments of a call.
   *
   * <p>Without a format the ending of the path, then of pathGlobFilter, then of the files below the
   * path decides; only that last step looks at the file system.
   *
   * @param options by name, in any case
   * @throws SluiceException UNKNOWN_OPTION, INVALID_OPTION; SOURCE_NOT_FOUND where the format has
   *     to be found by looking and there is no such path
   */
  public static ReadFilesOptions of(String path, Map<String, String> options) {
    Map<String, String> values = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    options.forEach(
        (name, value) -> {
          OptionNames.requireKnown(name);
          if (values.put(name, value) != null) {
            throw OptionValues.invalid(name, value, "the option is given twice");
          }
        });
    if (path.isBlank()) {
      throw new SluiceException(
          ErrorCode.INVALID_OPTION,
          "read_files has an empty path",
          "Name a file, a folder or a glob.");
    }
    OptionValues read = new OptionValues(values);
    Optional<String> schemaText = read.text("schema");
    ReadFilesOptions parsed =
        new ReadFilesOptions(
            path,
            read.format().or(() -> formatByName(path, read)).orElse(Format.JSON),
            schemaText,
            read.bool("inferColumnTypes", true),
            read.mode(schemaText.isPresent()),
            read.instant("modifiedAfter"),
            read.instant("modifiedBefore"),
            read.positive("maxFilesPerTrigger"),
            read.text("pathGlobFilter"),
            read.bool("header", false),
            read.character("delimiter", ','));
    boolean formatKnown = read.format().isPresent() || formatByName(path, read).isPresent();
    ReadFilesOptions complete =
        formatKnown ? parsed : parsed.withFormat(FormatDetection.detect(parsed));
    read.requireUsed(complete.format());
    complete.pathGlobFilter().ifPresent(glob -> Glob.compile(glob, "pathGlobFilter"));
    Glob.expand(path);
    return complete;
  }

  private static Optional<Format> formatByName(String path, OptionValues values) {
    return Format.ofFileName(path)
        .or(() -> values.text("pathGlobFilter").flatMap(Format::ofFileName));
  }

  private ReadFilesOptions withFormat(Format found) {
    return new ReadFilesOptions(
        path,
        found,
        schemaText,
        inferColumnTypes,
        mode,
        modifiedAfter,
        modifiedBefore,
        maxFilesPerTrigger,
        pathGlobFilter,
        header,
        delimiter);
  }

  /**
   * The options that {@link #of} makes these options of again, format included; option names as
   * documented, in a fixed order.
   */
  public Map<String, String> toMap() {
    Map<String, String> map = new LinkedHashMap<>();
    map.put("format", format.name().toLowerCase(java.util.Locale.ROOT));
    schemaText.ifPresent(text -> map.put("schema", text));
    map.put("inferColumnTypes", Boolean.toString(inferColumnTypes));
    map.put("schemaEvolutionMode", mode.optionValue());
    modifiedAfter.ifPresent(instant -> map.put("modifiedAfter", instant.toString()));
    modifiedBefore.ifPresent(instant -> map.put("modifiedBefore", instant.toString()));
    maxFilesPerTrigger.ifPresent(count -> map.put("maxFilesPerTrigger", Integer.toString(count)));
    pathGlobFilter.ifPresent(glob -> map.put("pathGlobFilter", glob));
    if (format == Format.CSV) {
      map.put("header", Boolean.toString(header));
      map.put("delimiter", String.valueOf(delimiter));
    }
    return Collections.unmodifiableMap(map);
  }

  /** Optionals are not serializable, the written form of the options is. */
  private Object writeReplace() {
    return new Written(path, new LinkedHashMap<>(toMap()));
  }

  private record Written(String path, LinkedHashMap<String, String> options)
      implements Serializable {
    private Object readResolve() {
      return ReadFilesOptions.of(path, options);
    }
  }
}
