package io.sluice.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;

/** Modification times of files. */
final class Clock {

  private Clock() {}

  /** Makes a file some seconds old. */
  static void age(Path file, int seconds) {
    try {
      Files.setLastModifiedTime(file, FileTime.from(Instant.now().minusSeconds(seconds)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
