package io.sluice.sequencing;

import io.sluice.table.RowSplit;
import java.io.Serializable;

/** What a reader of existing rows is told: first the keys, then what to read. */
public sealed interface ReadOrder extends Serializable {

  /** Number of the reader, from 0. */
  int reader();

  /**
   * The keys that have events; comes once, before all else.
   *
   * @param keys all of them
   */
  record Keys(int reader, KeySet keys) implements ReadOrder {}

  /**
   * A part of a file to be read.
   *
   * @param split the part
   * @param tidied whether the file is to be emptied, so that all its rows are wanted
   */
  record Read(int reader, RowSplit split, boolean tidied) implements ReadOrder {}
}
