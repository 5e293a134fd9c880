package io.sluice.sql;

import io.sluice.errors.SourceLocation;
import java.util.Arrays;

/** The original text of a pipeline file; turns offsets (UTF-16 units) into lines and columns. */
final class SourceText {

  private final String file;
  private final String text;
  private final int[] lineStarts;

  SourceText(String file, String text) {
    this.file = file;
    this.text = text;
    int[] starts = new int[64];
    int lines = 1;
    for (int offset = 0; offset < text.length(); offset++) {
      if (text.charAt(offset) == '\n') {
        if (lines == starts.length) {
          starts = Arrays.copyOf(starts, lines * 2);
        }
        starts[lines++] = offset + 1;
      }
    }
    this.lineStarts = Arrays.copyOf(starts, lines);
  }

  String text() {
    return text;
  }

  /** Line and column count from 1, columns in code points. */
  SourceLocation locate(int offset) {
    int found = Arrays.binarySearch(lineStarts, offset);
    int line = found >= 0 ? found : -found - 2;
    int column = text.codePointCount(lineStarts[line], Math.min(offset, text.length()));
    return new SourceLocation(file, line + 1, column + 1);
  }
}
