package io.sluice.table;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.IoReason;
import io.sluice.errors.SluiceException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.iceberg.ContentFile;
import org.apache.iceberg.ManifestContent;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.ManifestFiles;
import org.apache.iceberg.ManifestReader;
import org.apache.iceberg.PartitionStatisticsFile;
import org.apache.iceberg.ReachableFileUtil;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.exceptions.NotFoundException;
import org.apache.iceberg.io.FileInfo;
import org.apache.iceberg.io.SupportsPrefixOperations;

/**
 * Removes files that no snapshot of a table needs: what died between writing and committing leaves
 * them. Only the folders {@code data} and {@code metadata} below the table's location are looked
 * at, and only files that are old enough to belong to no commit on its way.
 */
public final class OrphanFiles {

  private final Table table;
  private final Set<String> reachable = new HashSet<>();

  private OrphanFiles(Table table) {
    this.table = table;
  }

  /**
   * What was removed.
   *
   * @param files how many files
   * @param bytes their size together
   */
  public record Removed(int files, long bytes) {}

  /** Whether the storage of a table can list files. */
  public static boolean canBeListed(Table table) {
    return table.io() instanceof SupportsPrefixOperations;
  }

  /**
   * Removes the orphans of a table. The table object is refreshed.
   *
   * @param olderThan younger files stay, whatever they are
   * @throws SluiceException STORAGE if files cannot be listed, or metadata cannot be read: then
   *     nothing is removed
   */
  public static Removed remove(Table table, Duration olderThan) {
    try {
      return new OrphanFiles(table).removeOlder(System.currentTimeMillis() - olderThan.toMillis());
    } catch (UncheckedIOException | NotFoundException e) {
      throw new SluiceException(
          ErrorCode.STORAGE,
          "the files of table " + table.name() + " cannot be told apart: " + IoReason.of(e),
          "Nothing was removed; run it again when the cause is removed",
          e);
    }
  }

  private Removed removeOlder(long timeMs) {
    // First the files, then what is needed: what is committed in between is found to be needed.
    List<FileInfo> old = new ArrayList<>();
    String location = table.location().replaceAll("/+$", "");
    String root = path(location) + "/";
    for (FileInfo file : list(location)) {
      String path = path(file.location());
      boolean ours = path.startsWith(root + "data/") || path.startsWith(root + "metadata/");
      if (ours && file.createdAtMillis() < timeMs) {
        old.add(file);
      }
    }
    if (old.isEmpty()) {
      return new Removed(0, 0);
    }
    table.refresh();
    collectReachable();
    int files = 0;
    long bytes = 0;
    for (FileInfo file : old) {
      if (!reachable.contains(path(file.location()))) {
        FileCleanup.delete(table, file.location());
        files++;
        bytes += file.size();
      }
    }
    return new Removed(files, bytes);
  }

  /** Hadoop would start a process for each local file, to learn its permissions. */
  private Iterable<FileInfo> list(String location) {
    boolean local = location.startsWith("/") || location.startsWith("file:");
    return local
        ? LocalFiles.list(Path.of(path(location)))
        : ((SupportsPrefixOperations) table.io()).listPrefix(location + "/");
  }

  private void collectReachable() {
    add(ReachableFileUtil.metadataFileLocations(table, false));
    add(List.of(ReachableFileUtil.versionHintLocation(table)));
    add(ReachableFileUtil.manifestListLocations(table));
    add(ReachableFileUtil.statisticsFilesLocations(table));
    add(table.partitionStatisticsFiles().stream().map(PartitionStatisticsFile::path).toList());
    Set<String> read = new HashSet<>();
    for (Snapshot snapshot : table.snapshots()) {
      for (ManifestFile manifest : snapshot.allManifests(table.io())) {
        if (read.add(manifest.path())) {
          reachable.add(path(manifest.path()));
          collectFiles(manifest);
        }
      }
    }
  }

  private void collectFiles(ManifestFile manifest) {
    try (ManifestReader<? extends ContentFile<?>> files =
        manifest.content() == ManifestContent.DATA
            ? ManifestFiles.read(manifest, table.io(), table.specs())
            : ManifestFiles.readDeleteManifest(manifest, table.io(), table.specs())) {
      for (ContentFile<?> file : files) {
        reachable.add(path(file.location()));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void add(Iterable<String> locations) {
    locations.forEach(location -> reachable.add(path(location)));
  }

  /** A location without scheme and authority: {@code s3a} and {@code s3} name the same files. */
  private static String path(String location) {
    String path = location.replaceFirst("^[A-Za-z][A-Za-z0-9+.-]*:(//[^/]*)?", "");
    return path.replaceAll("/{2,}", "/");
  }
}
