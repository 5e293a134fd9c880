package io.sluice.table;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.SluiceException;
import java.io.EOFException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.ChecksumException;
import org.apache.iceberg.catalog.TableIdentifier;

/** A metadata file of a table that is there and cannot be understood: cut short, or overwritten. */
final class DamagedMetadata {

  /** How Iceberg names the file. */
  private static final Pattern FILE = Pattern.compile("Failed to read file: (\\S+)");

  private DamagedMetadata() {}

  /**
   * The error behind a table that cannot be opened; empty if its metadata is not what is wrong.
   *
   * @return STORAGE with the table, the file where it is known, and the reason
   */
  static Optional<SluiceException> of(TableIdentifier table, RuntimeException thrown) {
    String file = "the file with its metadata";
    Throwable innermost = thrown;
    for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
      Matcher named = FILE.matcher(String.valueOf(cause.getMessage()));
      if (named.find()) {
        file = "the metadata file " + named.group(1);
      }
      innermost = cause;
    }
    String problem = file;
    return reason(innermost)
        .map(
            reason ->
                new SluiceException(
                    ErrorCode.STORAGE,
                    "table "
                        + table
                        + " cannot be opened: "
                        + problem
                        + " is damaged ("
                        + reason
                        + ")",
                    "Restore the file, or let the catalog name an older metadata file of the table;"
                        + " nothing was changed",
                    thrown));
  }

  private static Optional<String> reason(Throwable innermost) {
    String type = innermost.getClass().getSimpleName();
    // Iceberg brings a parser of its own, so its exceptions are known by name only.
    if (innermost instanceof EOFException
        || type.equals("JsonEOFException")
        || type.equals("MismatchedInputException")) {
      return Optional.of("it ends too early");
    }
    if (type.equals("JsonParseException") || type.equals("MalformedInputException")) {
      return Optional.of("it is no JSON");
    }
    if (innermost instanceof ChecksumException) {
      return Optional.of("its checksum is another one");
    }
    return innermost instanceof IllegalArgumentException
            || innermost instanceof NullPointerException
            || innermost instanceof ClassCastException
        ? Optional.of("it is no metadata of a table")
        : Optional.empty();
  }
}
