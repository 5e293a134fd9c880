package io.sluice.files;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;

/**
 * What inference looks at: at most {@value #MAX_FILES} files (a third the newest, a third the
 * oldest, the rest spread evenly over the path order), and of text files together about {@value
 * #MAX_BYTES} bytes, an equal share from the beginning of each.
 *
 * @param files in path order
 * @param bytesPerFile how much of each text file is read, the last line to its end
 */
record InferenceSample(List<FileEntry> files, long bytesPerFile) {

  static final int MAX_FILES = 192;
  static final long MAX_BYTES = 32L << 20;

  private static final long MIN_BYTES_PER_FILE = 64L << 10;

  static InferenceSample of(List<FileEntry> files) {
    List<FileEntry> filled = files.stream().filter(file -> file.size() > 0).sorted().toList();
    List<FileEntry> chosen = filled.size() <= MAX_FILES ? filled : choose(filled);
    long share = MAX_BYTES / Math.max(chosen.size(), 1);
    return new InferenceSample(chosen, Math.max(share, MIN_BYTES_PER_FILE));
  }

  private static List<FileEntry> choose(List<FileEntry> files) {
    int third = MAX_FILES / 3;
    List<FileEntry> byTime = new ArrayList<>(files);
    byTime.sort(
        Comparator.comparingLong(FileEntry::modificationTimeMs)
            .thenComparing(Comparator.naturalOrder()));
    TreeSet<FileEntry> chosen = new TreeSet<>(byTime.subList(0, third));
    chosen.addAll(byTime.subList(byTime.size() - third, byTime.size()));
    for (int index = 0; index < third; index++) {
      chosen.add(files.get((int) ((long) index * files.size() / third)));
    }
    return List.copyOf(chosen);
  }
}
