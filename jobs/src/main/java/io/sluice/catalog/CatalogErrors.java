package io.sluice.catalog;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.IoReason;
import io.sluice.errors.SluiceException;
import java.io.FileNotFoundException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.flink.table.api.TableException;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.util.FlinkRuntimeException;
import org.apache.iceberg.exceptions.NoSuchTableException;
import org.apache.iceberg.exceptions.NotFoundException;

/** Turns what catalogs and file systems throw into errors that tell what to do. */
public final class CatalogErrors {

  private static final Pattern PATH = Pattern.compile("([a-z0-9]+:/)?/[^\\s,;:()]+");

  /** How Iceberg names a manifest or data file that it cannot make sense of. */
  private static final Pattern UNREADABLE =
      Pattern.compile("Failed to open (?:Parquet )?file: (\\S+)|(\\S+) is not a Parquet file");

  private CatalogErrors() {}

  /** The error for a catalog or storage call that failed; a SluiceException stays as it is. */
  public static SluiceException unavailable(String what, Exception e) {
    return known(what, e).orElseGet(() -> unknown(what, e));
  }

  /** The error for a table that was there a moment ago. */
  public static SluiceException dropped(String what) {
    return dropped(what, null);
  }

  private static SluiceException dropped(String what, Exception e) {
    return new SluiceException(
        ErrorCode.CATALOG_UNAVAILABLE,
        what + " is not in the catalog any more: somebody dropped it meanwhile",
        "Run again: what the file declares is made anew and read from the beginning",
        e);
  }

  /** The same where the reason is a known one; empty for everything else. */
  public static Optional<SluiceException> known(String what, Exception e) {
    if (e instanceof SluiceException known) {
      return Optional.of(known);
    }
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof NoSuchTableException) {
        return Optional.of(dropped(what, e));
      }
      String text = String.valueOf(cause.getMessage());
      String lower = text.toLowerCase(Locale.ROOT);
      if (lower.contains("sqlite_busy") || lower.contains("database is locked")) {
        return Optional.of(
            new SluiceException(
                ErrorCode.CATALOG_UNAVAILABLE,
                what + ": the SQLite catalog file is locked by another process",
                "Wait for the other process or raise busy_timeout in the catalog's uri",
                e));
      }
      if (lower.contains("sqlite_notadb") || lower.contains("file is not a database")) {
        return Optional.of(
            new SluiceException(
                ErrorCode.CATALOG_UNAVAILABLE,
                what + ": the catalog file is no SQLite database",
                "Restore the file, or name another one in the catalog's uri",
                e));
      }
      Optional<SluiceException> storage = ofStorage(what, cause, e);
      if (storage.isPresent()) {
        return storage;
      }
    }
    return damagedFile(what, e);
  }

  /** The error for a file of a table that is there but cannot be read; empty for other errors. */
  public static Optional<SluiceException> damagedFile(String what, Throwable e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      Matcher unreadable = UNREADABLE.matcher(String.valueOf(cause.getMessage()));
      if (unreadable.find()) {
        String file = unreadable.group(1) == null ? unreadable.group(2) : unreadable.group(1);
        String reason = IoReason.of(e).lines().findFirst().orElse("").replace(file, "it");
        return Optional.of(
            new SluiceException(
                ErrorCode.STORAGE,
                what + ": " + file + " cannot be read (" + reason + ")",
                "It is damaged or cut off: restore it, or roll the table back to a snapshot without"
                    + " it; nothing was committed",
                e));
      }
    }
    return Optional.empty();
  }

  private static SluiceException unknown(String what, Exception e) {
    if (e instanceof NullPointerException
        || e instanceof ClassCastException
        || e instanceof IndexOutOfBoundsException
        || e instanceof IllegalArgumentException
        || e instanceof UnsupportedOperationException
        || e instanceof ArithmeticException
        || e instanceof FlinkRuntimeException
        || e instanceof TableException
        || e instanceof ValidationException) {
      return new SluiceException(
          ErrorCode.UPDATE_FAILED,
          what + ": the update cannot be planned: " + firstLine(e),
          "This is no fault of the catalog; the log file has the details",
          e);
    }
    return new SluiceException(
        ErrorCode.CATALOG_UNAVAILABLE,
        what + " does not answer: " + firstLine(e),
        "Check that the catalog of the configuration is up and reachable",
        e);
  }

  /**
   * The error for a disk that is full or must not be written, or a file that is not there.
   *
   * @param cause one exception of the chain, which is looked at
   * @param whole the chain
   */
  public static Optional<SluiceException> ofStorage(String what, Throwable cause, Throwable whole) {
    String lower = String.valueOf(cause.getMessage()).toLowerCase(Locale.ROOT);
    if (lower.contains("no space left") || lower.contains("sqlite_full")) {
      return Optional.of(storage(what, "the disk is full", whole));
    }
    if (lower.contains("sqlite_readonly") || lower.contains("readonly database")) {
      return Optional.of(storage(what, "the SQLite catalog file is read-only", whole));
    }
    if (lower.contains("sqlite_cantopen") || lower.contains("unable to open the database file")) {
      return Optional.of(storage(what, "the SQLite catalog file cannot be opened or made", whole));
    }
    if (lower.contains("mkdirs failed to create") || lower.contains("failed to create file")) {
      return Optional.of(storage(what, "files cannot be made in the warehouse", whole));
    }
    if (lower.contains("read-only file system")) {
      return Optional.of(storage(what, "the file system is read-only", whole));
    }
    if (lower.contains("permission denied") || cause instanceof AccessDeniedException) {
      return Optional.of(storage(what, "permission denied: " + IoReason.of(cause), whole));
    }
    if (cause instanceof FileNotFoundException || cause instanceof NotFoundException) {
      return Optional.of(missingFile(what, whole));
    }
    return cause instanceof FileSystemException
        ? Optional.of(storage(what, IoReason.of(cause), whole))
        : Optional.empty();
  }

  /** The error for a file of a table that is not there; the innermost message that has a path. */
  private static SluiceException missingFile(String what, Throwable e) {
    String file = "a file";
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      Matcher path = PATH.matcher(String.valueOf(cause.getMessage()));
      if (path.find()) {
        file = path.group();
      }
    }
    return new SluiceException(
        ErrorCode.STORAGE,
        what + ": " + file + " is missing, although the table's metadata names it",
        "Restore the file, or roll the table back to a snapshot without it; nothing was committed",
        e);
  }

  private static SluiceException storage(String what, String why, Throwable e) {
    return new SluiceException(
        ErrorCode.STORAGE,
        what + ": " + why,
        "Check space and permissions of the warehouse and of the folder for temporary files, and run"
            + " again; nothing was committed",
        e);
  }

  private static String firstLine(Throwable e) {
    String text = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    int end = text.indexOf('\n');
    return end < 0 ? text : text.substring(0, end);
  }
}
