package io.sluice.table;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.util.SnapshotUtil;
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
  private final List<byte[]> written = new ArrayList<>();
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
        MovedRowsFile.read(table, snapshot).ifPresent(this::add);
      }
    }
    if (followed.stream().mapToLong(moves -> moves.sources().size()).sum() > maxFiles) {
      LOG.info("Table {}: more than {} rewritten files, forgotten", table.name(), maxFiles);
      followed.clear();
      written.clear();
    }
  }

  private void add(MovedRows moves) {
    followed.add(moves);
    written.add(moves.toBytes());
  }

  /**
   * What was followed, for another committer that goes on with the same places.
   *
   * @param upTo the snapshot up to which the table was followed
   */
  byte[] toBytes(long upTo) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeLong(upTo);
      out.writeInt(written.size());
      for (byte[] each : written) {
        out.writeInt(each.length);
        out.write(each);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  /**
   * Goes on behind what {@link #toBytes} wrote, with all that the table has rewritten since then.
   * Where the snapshots of that time are gone, rows of files that were rewritten meanwhile are not
   * found, and the commit that names them is refused.
   */
  void restore(byte[] bytes, Table table) {
    followed.clear();
    written.clear();
    seen.clear();
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      long upTo = in.readLong();
      int count = in.readInt();
      for (int i = 0; i < count; i++) {
        add(MovedRows.of(in.readNBytes(in.readInt())));
      }
      List<Snapshot> since = new ArrayList<>();
      for (Snapshot snapshot : SnapshotUtil.currentAncestors(table)) {
        if (snapshot.snapshotId() == upTo) {
          follow(table, since);
          return;
        }
        since.add(snapshot);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
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
