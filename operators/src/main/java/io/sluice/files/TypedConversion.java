package io.sluice.files;

import java.io.IOException;

/** Brings a typed value of a file into the type of its column. */
@FunctionalInterface
interface TypedConversion {

  /**
   * Converts a value that is not null.
   *
   * @param field name inside the current row, for faults; null where the place itself is meant
   * @return null where the value does not fit; the fault has been told then
   */
  Object convert(Object value, RecordFaults faults, String field) throws IOException;
}
