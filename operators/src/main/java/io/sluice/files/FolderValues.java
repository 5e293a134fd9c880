package io.sluice.files;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.util.LinkedHashMap;
import java.util.Map;

/** The Hive-style {@code key=value} folders of a path (semantics 17.4). */
final class FolderValues {

  /** Hive's name for the folder of rows without a value. */
  private static final String NULL_VALUE = "__HIVE_DEFAULT_PARTITION__";

  private FolderValues() {}

  /**
   * Value by key, in path order; of a key that is there twice the inner folder counts. A value is
   * null where the folder says so. The file's own name is no folder.
   */
  static Map<String, String> of(String path) {
    Map<String, String> values = new LinkedHashMap<>();
    String[] parts = path.split("/");
    for (int index = 0; index < parts.length - 1; index++) {
      int sign = parts[index].indexOf('=');
      if (sign > 0) {
        String value = decode(parts[index].substring(sign + 1));
        values.put(
            decode(parts[index].substring(0, sign)), NULL_VALUE.equals(value) ? null : value);
      }
    }
    return values;
  }

  /**
   * The part of a file's path in which folders count for inference: what the user wrote and what
   * lies below, not the working directory before it.
   */
  static String countedPart(String filePath, ReadFilesOptions options) {
    boolean relative = !options.path().startsWith("/") && !options.path().contains(":");
    String workingFolder = FileSystems.getDefault().getPath("").toAbsolutePath() + "/";
    return relative && filePath.startsWith(workingFolder)
        ? filePath.substring(workingFolder.length())
        : filePath;
  }

  /** Hive writes special characters as %XX. */
  private static String decode(String text) {
    if (text.indexOf('%') < 0) {
      return text;
    }
    try {
      return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      return text;
    }
  }
}
