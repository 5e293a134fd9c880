package io.sluice.continuous;

import io.sluice.files.FileEntry;
import io.sluice.files.FileListing;
import io.sluice.files.ReadFilesOptions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The files that a path comes to name. A file counts once for each state of it (path, size and
 * modification time), as in a triggered update; older files come first.
 *
 * @param options what to read
 * @param known files that were read before the job
 */
public record FileArrivals(ReadFilesOptions options, List<FileEntry> known)
    implements Arrivals<FileEntry> {

  private static final Comparator<FileEntry> OLDEST_FIRST =
      Comparator.comparingLong(FileEntry::modificationTimeMs).thenComparing(FileEntry::path);

  public FileArrivals {
    known = List.copyOf(known);
  }

  @Override
  public Search<FileEntry> open(List<FileEntry> handedOut) {
    Set<FileEntry> seen = new HashSet<>(known);
    seen.addAll(handedOut);
    return new Look(options, seen);
  }

  /** A file has arrived when two looks find it in the same state: others may still write it. */
  private static final class Look implements Search<FileEntry> {

    private final ReadFilesOptions options;
    private final Set<FileEntry> seen;
    private Set<FileEntry> arriving = new HashSet<>();

    Look(ReadFilesOptions options, Set<FileEntry> seen) {
      this.options = options;
      this.seen = seen;
    }

    @Override
    public List<FileEntry> next() {
      List<FileEntry> fresh = new ArrayList<>();
      Set<FileEntry> unsettled = new HashSet<>();
      for (FileEntry file : FileListing.list(options)) {
        if (seen.contains(file)) {
          continue;
        }
        if (arriving.contains(file)) {
          seen.add(file);
          fresh.add(file);
        } else {
          unsettled.add(file);
        }
      }
      arriving = unsettled;
      fresh.sort(OLDEST_FIRST);
      return fresh;
    }
  }
}
