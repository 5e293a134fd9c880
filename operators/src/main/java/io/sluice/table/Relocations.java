package io.sluice.table;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The rewrites of a table's files that a committer has followed. Who knows rows by the files in
 * which they lay before goes on: their places are translated when they are deleted. Not
 * thread-safe.
 */
final class Relocations {

  private static final Logger LOG = LoggerFactory.getLogger(Relocations.class);

  /** Most rewritten files that are known at a time; then all are forgotten. */
  static final int MAX_FILES = 200_000;

  private final List<MovedRows> followed = new ArrayList<>();
  private final Set<Long> seen = new HashSet<>();
  private final int maxFiles;

  Relocations() {
    this(MAX_FILES);
  }

  Relocations(int maxFiles) {
    this.maxFiles = maxFiles;
  }

  /**
   * Takes in what snapshots have moved, each once.
   *
   * @param snapshots newest first, without a gap
   */
  void follow(Table table, List<Snapshot> snapshots) {
    for (int i = snapshots.size() - 1; i >= 0; i--) {
      Snapshot snapshot = snapshots.get(i);
      if (FileRewrite.isOurs(snapshot) && seen.add(snapshot.snapshotId())) {
        MovedRowsFile.read(table, snapshot).ifPresent(followed::add);
      }
    }
    if (followed.stream().mapToLong(moves -> moves.sources().size()).sum() > maxFiles) {
      LOG.info("Table {}: more than {} rewritten files, forgotten", table.name(), maxFiles);
      followed.clear();
    }
  }

  /** The places of rows after all rewrites. */
  Map<String, DeletedPositions> translate(Map<String, DeletedPositions> rows) {
    Map<String, DeletedPositions> translated = rows;
    for (MovedRows moves : followed) {
      if (translated.keySet().stream().anyMatch(moves.sources()::contains)) {
        translated = moves.translate(translated);
      }
    }
    return translated;
  }
}
