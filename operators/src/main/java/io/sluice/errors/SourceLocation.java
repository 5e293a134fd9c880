package io.sluice.errors;

import java.io.Serializable;

/**
 * A place in a pipeline file, or in a Java program that declares a pipeline.
 *
 * @param file the file as the user named it, or {@code <inline>} for text without a file
 * @param line line, counted from 1
 * @param column column, counted from 1; 0 in a Java program, where it is not known
 */
public record SourceLocation(String file, int line, int column) implements Serializable {

  @Override
  public String toString() {
    return file + ":" + line + (column == 0 ? "" : ":" + column);
  }
}
