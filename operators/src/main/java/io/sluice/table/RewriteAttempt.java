package io.sluice.table;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.RewriteFiles;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.StatisticsFile;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableOperations;
import org.apache.iceberg.Transaction;
import org.apache.iceberg.Transactions;
import org.apache.iceberg.util.ContentFileUtil;

/**
 * One try to put rewritten groups in the place of what they were made of, against one state of the
 * table. Rows that were deleted since they were read are deleted in the new files. A group of which
 * a file is gone is left out.
 */
final class RewriteAttempt {

  private final List<RewrittenGroup> groups;
  private final String id;
  private final TableMetadata base;
  private final PinnedOperations operations;
  private final Table table;
  private DeleteMerge deletes;
  private StatisticsFile moved;

  RewriteAttempt(
      String name,
      TableOperations delegate,
      TableMetadata base,
      List<RewrittenGroup> groups,
      String id) {
    this.groups = groups;
    this.id = id;
    this.base = base;
    this.operations = new PinnedOperations(delegate, base, now -> FileRewrite.find(now, id));
    this.table = new BaseTable(operations, name);
  }

  /**
   * Merges, writes, commits.
   *
   * @return the groups that were left out; all of them if nothing was committed
   * @throws PinnedOperations.StaleBaseException if the table has moved on; nothing was changed
   * @throws org.apache.iceberg.exceptions.CommitStateUnknownException if it is not known whether
   *     the commit landed
   */
  List<RewrittenGroup> run() {
    Set<String> paths = new HashSet<>();
    groups.forEach(group -> paths.addAll(group.kept().keySet()));
    Map<String, TouchedFile> live = TouchedFile.find(table, paths, List.of());
    List<RewrittenGroup> whole = new ArrayList<>();
    List<RewrittenGroup> left = new ArrayList<>();
    groups.forEach(
        group -> (live.keySet().containsAll(group.kept().keySet()) ? whole : left).add(group));
    if (whole.isEmpty()) {
      return left;
    }
    List<DataFile> written = whole.stream().flatMap(group -> group.written().stream()).toList();
    MovedRows moves = new MovedRows();
    whole.forEach(group -> moves.addAll(group.moves()));
    Map<String, DeletedPositions> deleted = moves.translate(deletedSince(whole, live));
    deletes =
        DeleteMerge.write(
            table,
            TouchedFile.find(table, deleted.keySet(), written),
            deleted,
            UUID.randomUUID().toString());
    Transaction transaction = Transactions.newTransaction(table.name(), operations);
    RewriteFiles rewrite = transaction.newRewrite();
    for (RewrittenGroup group : whole) {
      group.kept().keySet().forEach(file -> remove(rewrite, live.get(file)));
      group.written().forEach(rewrite::addFile);
    }
    deletes.added().forEach(rewrite::addFile);
    rewrite.dataSequenceNumber(
        whole.stream().mapToLong(group -> group.group().dataSequenceNumber()).max().orElseThrow());
    rewrite.validateFromSnapshot(base.currentSnapshot().snapshotId());
    rewrite.scanManifestsWith(ManifestThreads.of(table));
    rewrite.set(FileRewrite.SUMMARY_KEY, id);
    rewrite.commit();
    Snapshot staged = transaction.table().currentSnapshot();
    StagedSnapshot.requireOneDeleteFileEach(
        transaction.table(), staged, deletes.rewritten().keySet());
    moved = MovedRowsFile.write(operations, staged, moves);
    transaction.updateStatistics().setStatistics(moved).commit();
    operations.commit(transaction, "the rewrite " + id + " of " + table.name());
    return left;
  }

  private static void remove(RewriteFiles rewrite, TouchedFile file) {
    rewrite.deleteFile(file.file());
    for (DeleteFile delete : file.previous()) {
      if (ContentFileUtil.isFileScoped(delete)) {
        rewrite.deleteFile(delete);
      }
    }
  }

  /** The rows that were read and are deleted now, by the files in which they lay. */
  private Map<String, DeletedPositions> deletedSince(
      List<RewrittenGroup> whole, Map<String, TouchedFile> live) {
    Map<String, DeletedPositions> since = new HashMap<>();
    for (RewrittenGroup group : whole) {
      for (RowSplit read : group.group().files()) {
        String path = read.file().location();
        List<DeleteFile> now = live.get(path).previous();
        if (!locations(now).equals(locations(read.deletes()))) {
          DeletedPositions positions =
              DeleteMerge.load(table, path, now).intersection(group.kept().get(path));
          if (!positions.isEmpty()) {
            since.put(path, positions);
          }
        }
      }
    }
    return since;
  }

  /** Vectors of several data files lie in one file. */
  private static Set<String> locations(List<DeleteFile> deletes) {
    Set<String> locations = new HashSet<>();
    deletes.forEach(delete -> locations.add(delete.location() + "#" + delete.contentOffset()));
    return locations;
  }

  /** Removes the files of this attempt after a certain failure. */
  void discard() {
    if (deletes != null) {
      deletes.discard();
    }
    if (moved != null) {
      FileCleanup.delete(table, moved.path());
    }
  }
}
