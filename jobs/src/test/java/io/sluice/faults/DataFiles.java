package io.sluice.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.iceberg.ContentFile;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.ManifestFiles;
import org.apache.iceberg.ManifestReader;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.io.CloseableIterable;

/** The data and delete files of tables, on disk and as their snapshots name them. */
final class DataFiles {

  private DataFiles() {}

  /** Every data and delete file below a folder. */
  static List<Path> below(Path folder) {
    try (Stream<Path> paths = Files.walk(folder)) {
      return paths
          .filter(path -> path.toString().contains("/data/"))
          .filter(Files::isRegularFile)
          .filter(path -> !path.getFileName().toString().startsWith("."))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Data files of the current snapshot. */
  static List<Path> current(Table table) {
    try (CloseableIterable<FileScanTask> tasks = table.newScan().planFiles()) {
      Set<Path> files = new TreeSet<>();
      tasks.forEach(task -> files.add(Path.of(task.file().location())));
      return List.copyOf(files);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Every file that any snapshot of a table names. */
  static Set<Path> named(Table table) {
    Set<Path> named = new TreeSet<>();
    for (Snapshot snapshot : table.snapshots()) {
      for (ManifestFile manifest : snapshot.dataManifests(table.io())) {
        addAll(named, ManifestFiles.read(manifest, table.io(), table.specs()));
      }
      for (ManifestFile manifest : snapshot.deleteManifests(table.io())) {
        addAll(named, ManifestFiles.readDeleteManifest(manifest, table.io(), table.specs()));
      }
    }
    return named;
  }

  private static <F extends ContentFile<F>> void addAll(Set<Path> named, ManifestReader<F> reader) {
    try (reader) {
      reader.forEach(file -> named.add(Path.of(file.location())));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
