package io.sluice.errors;

import java.io.FileNotFoundException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/** Why something could not be read or written, without the names of Java's classes. */
public final class IoReason {

  private IoReason() {}

  /** Half a sentence behind a colon; the innermost cause counts. */
  public static String of(Throwable thrown) {
    Throwable cause = thrown;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    if (cause instanceof NoSuchFileException || cause instanceof FileNotFoundException) {
      return "it does not exist";
    }
    if (cause instanceof AccessDeniedException) {
      return "permission denied";
    }
    if (cause instanceof CharacterCodingException) {
      return "it is no UTF-8 text";
    }
    if (cause instanceof FileSystemException failed && failed.getReason() != null) {
      return failed.getReason();
    }
    String text = cause.getMessage();
    return text == null || text.isBlank() ? cause.getClass().getSimpleName() : text.strip();
  }
}
