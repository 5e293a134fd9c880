package io.sluice.files;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.SluiceException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Finds the format by the endings of the files that a path names. */
final class FormatDetection {

  private FormatDetection() {}

  static Format detect(ReadFilesOptions options) {
    List<FileEntry> files = FileListing.list(options);
    Set<Format> formats = new TreeSet<>();
    files.stream()
        .map(file -> Format.ofFileName(file.name()))
        .flatMap(Optional::stream)
        .forEach(formats::add);
    if (formats.size() == 1) {
      return formats.iterator().next();
    }
    String found =
        formats.isEmpty() ? "no file below it has a known ending" : "its files are " + formats;
    throw new SluiceException(
        ErrorCode.INVALID_OPTION,
        "read_files('" + options.path() + "') gives no format, and " + found,
        "Add format => 'json', 'csv', 'parquet' or 'avro'.");
  }
}
