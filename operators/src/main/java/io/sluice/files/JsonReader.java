package io.sluice.files;

import com.fasterxml.jackson.core.JsonParser;
import java.io.IOException;

/** Reads one JSON value into Flink's internal form of one type. */
@FunctionalInterface
interface JsonReader {

  /**
   * Reads the value at the parser's current token, which is not null, and leaves the parser at its
   * last token.
   *
   * @param field name inside the current object, for faults; null where the place itself is meant
   * @return null where the value does not fit; the fault has been told then
   */
  Object read(JsonParser parser, RecordFaults faults, String field) throws IOException;
}
