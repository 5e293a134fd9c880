package io.sluice.files;

/** Reads the text of a scalar value into Flink's internal form of one type. */
@FunctionalInterface
interface TextReader {

  /** The value; null where the text is none of the type. */
  Object read(char[] text, int from, int length);

  default Object read(String text) {
    return read(text.toCharArray(), 0, text.length());
  }
}
