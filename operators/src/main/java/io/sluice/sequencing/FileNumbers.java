package io.sluice.sequencing;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The data files of one table that rows in the state of one subtask lie in, by number. Files of the
 * plan have its numbers, from 0 on; the subtask gives negative ones, below {@link #PENDING}, to
 * files that it writes. They are unique over all subtasks, and over those that a later rescaling
 * makes, because each subtask owns a residue class of its own. A file without a row leaves at once.
 */
final class FileNumbers {

  /** In place of a number: the row is not written yet. */
  static final long PENDING = -1;

  /**
   * A file with the rows that lie in it.
   *
   * @param rows how many rows of this subtask
   */
  record Entry(long number, String path, long rows) {}

  private final List<String> planned;
  private final int residue;
  private final int modulus;
  private final Map<Long, File> files = new HashMap<>();
  private final Map<String, Long> writing = new HashMap<>();
  private long next;

  /**
   * @param planned paths of the plan's files, by number
   * @param residue the first key group of the subtask
   * @param modulus the number of key groups
   */
  FileNumbers(List<String> planned, int residue, int modulus) {
    this.planned = planned;
    this.residue = residue;
    this.modulus = modulus;
  }

  /** Whether the plan has no other file with the number of this one. */
  boolean isPlanned(Entry entry) {
    return entry.number() < 0
        || entry.number() < planned.size()
            && planned.get((int) entry.number()).equals(entry.path());
  }

  /** Takes over a file of a checkpoint. */
  void restore(Entry entry) {
    files.computeIfAbsent(entry.number(), number -> new File(entry.path())).rows += entry.rows();
  }

  /** Takes over the path of a file alone; its rows are counted next. */
  void restorePath(Entry entry) {
    files.computeIfAbsent(entry.number(), number -> new File(entry.path()));
  }

  /** Goes on behind the numbers that were given before a checkpoint. */
  void restoreNext(long given) {
    next = Math.max(next, given);
  }

  /** What {@link #restoreNext} needs. */
  long next() {
    return next;
  }

  /** The path of a file that a row lies in. */
  String path(long number) {
    File file = files.get(number);
    if (file == null) {
      if (number < 0 || number >= planned.size()) {
        throw new IllegalStateException("the state has no file with number " + number);
      }
      return planned.get((int) number);
    }
    return file.path;
  }

  /** A row lies in a file from now on. */
  void keep(long number) {
    files.computeIfAbsent(number, absent -> new File(path(absent))).rows++;
  }

  /** A row lies in a file that this subtask writes; the number of the file. */
  long keepWritten(String path) {
    long number = writing.computeIfAbsent(path, fresh -> PENDING - 1 - residue - modulus * next++);
    files.computeIfAbsent(number, fresh -> new File(path)).rows++;
    return number;
  }

  /** A row lies in a file no more. */
  void drop(long number) {
    File file = files.get(number);
    file.rows--;
    if (file.rows == 0) {
      files.remove(number);
    }
  }

  /** All files are finished: none of them gets further rows. */
  void finished() {
    writing.clear();
  }

  /** Forgets files without rows, after the rows of restored files were counted. */
  void dropEmpty() {
    files.values().removeIf(file -> file.rows == 0);
  }

  /** All files with rows. */
  List<Entry> entries() {
    List<Entry> entries = new ArrayList<>(files.size());
    files.forEach((number, file) -> entries.add(new Entry(number, file.path, file.rows)));
    return entries;
  }

  private static final class File {
    private final String path;
    private long rows;

    File(String path) {
      this.path = path;
    }
  }
}
