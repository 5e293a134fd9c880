package io.sluice.sql;

import io.sluice.errors.SourceLocation;

/**
 * Text up to the next ';' with its variables replaced.
 *
 * @param source the text it was cut from
 * @param text the text after replacement
 * @param origins per code point of {@code text} its offset in the source
 * @param endOffset offset of the ';' or of the end of the source
 */
record Segment(SourceText source, String text, int[] origins, int endOffset) {

  /** Place in the original text of a code point of this segment. */
  SourceLocation locate(int codePoint) {
    return source.locate(codePoint < origins.length ? origins[codePoint] : endOffset);
  }
}
