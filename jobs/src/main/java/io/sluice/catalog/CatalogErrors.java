package io.sluice.catalog;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.SluiceException;
import java.nio.file.FileSystemException;
import java.util.Locale;

/** Turns what catalogs and file systems throw into errors that tell what to do. */
public final class CatalogErrors {

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
