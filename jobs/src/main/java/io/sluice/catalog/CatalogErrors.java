package io.sluice.catalog;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.SluiceException;
import java.io.FileNotFoundException;
import java.nio.file.FileSystemException;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.iceberg.exceptions.NotFoundException;

/** Turns what catalogs and file systems throw into errors that tell what to do. */
public final class CatalogErrors {

  private static final Pattern PATH = Pattern.compile("([a-z0-9]+:/)?/[^\\s,;:()]+");

  private CatalogErrors() {}

  /** The error for a catalog or storage call that failed; a SluiceException stays as it is. */
  public static SluiceException unavailable(String what, Exception e) {
    if (e instanceof SluiceException known) {
      return known;
    }
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      String text = String.valueOf(cause.getMessage());
      String lower = text.toLowerCase(Locale.ROOT);
      if (lower.contains("sqlite_busy") || lower.contains("database is locked")) {
        return new SluiceException(
            ErrorCode.CATALOG_UNAVAILABLE,
            what + ": the SQLite catalog file is locked by another process",
            "Wait for the other process or raise busy_timeout in the catalog's uri",
            e);
      }
      if (lower.contains("sqlite_readonly") || lower.contains("readonly database")) {
        return storage(what, "the SQLite catalog file is read-only", e);
      }
      if (lower.contains("no space left") || lower.contains("sqlite_full")) {
        return storage(what, "the disk is full", e);
      }
      if (cause instanceof FileNotFoundException || cause instanceof NotFoundException) {
        return missingFile(what, e);
      }
      if (cause instanceof FileSystemException
          || lower.contains("permission denied")
          || lower.contains("read-only file system")) {
        return storage(what, text, e);
      }
    }
    return new SluiceException(
        ErrorCode.CATALOG_UNAVAILABLE,
        what + " does not answer: " + firstLine(e),
        "Check that the catalog of the configuration is up and reachable",
        e);
  }

  /** The error for a file of a table that is not there; the innermost message that has a path. */
  public static SluiceException missingFile(String what, Throwable e) {
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

  private static SluiceException storage(String what, String why, Exception e) {
    return new SluiceException(
        ErrorCode.STORAGE,
        what + ": " + why,
        "Check space and permissions of the warehouse and run again; nothing was committed",
        e);
  }

  private static String firstLine(Throwable e) {
    String text = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    int end = text.indexOf('\n');
    return end < 0 ? text : text.substring(0, end);
  }
}
