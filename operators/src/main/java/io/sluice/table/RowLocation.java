package io.sluice.table;

import java.io.Serializable;
import java.util.Objects;

/**
 * Where a row lies: a data file and the row's position in it.
 *
 * @param file location of the data file exactly as the table's metadata spells it
 * @param position ordinal of the row in the file, counted from 0, deleted rows included
 */
public record RowLocation(String file, long position) implements Serializable {

  public RowLocation {
    Objects.requireNonNull(file, "file");
    if (position < 0) {
      throw new IllegalArgumentException("position " + position + " of " + file + " is negative");
    }
  }
}
