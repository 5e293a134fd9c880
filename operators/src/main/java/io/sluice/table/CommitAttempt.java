package io.sluice.table;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.iceberg.AppendFiles;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.ManifestFiles;
import org.apache.iceberg.ManifestReader;
import org.apache.iceberg.RowDelta;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotUpdate;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableOperations;
import org.apache.iceberg.Transaction;
import org.apache.iceberg.Transactions;

/** One try to commit a request against one state of the table. */
final class CommitAttempt {

  private final CommitRequest request;
  private final TableMetadata base;
  private final Table table;
  private final PinnedOperations operations;
  private final CommitExtension extension;
  private final Relocations relocations;
  private DeleteMerge deletes;

  CommitAttempt(
      String name,
      TableOperations delegate,
      TableMetadata base,
      CommitRequest request,
      CommitExtension extension,
      Relocations relocations) {
    this.request = request;
    this.base = base;
    this.extension = extension;
    this.relocations = relocations;
    this.operations =
        new PinnedOperations(delegate, base, now -> CommitHistory.find(now, request.id()));
    this.table = new BaseTable(operations, name);
  }

  /**
   * Merges, writes, commits.
   *
   * @throws PinnedOperations.StaleBaseException if the table has moved on; nothing was changed
   * @throws org.apache.iceberg.exceptions.CommitStateUnknownException if it is not known whether
   *     the commit landed
   */
  CommitResult run(int attempt) {
    List<Snapshot> since = new CommitHistory(table.name(), base).requireUnchanged(request);
    List<DataFile> newFiles =
        request.outcomes().stream().flatMap(outcome -> outcome.dataFiles().stream()).toList();
    List<DataFile> oldFiles = request.replaceAll() ? liveDataFiles() : List.of();
    relocations.follow(table, since);
    Map<String, DeletedPositions> deleted =
        relocations.translate(WriteOutcome.mergeDeleted(request.outcomes()));
    oldFiles.forEach(file -> deleted.remove(file.location()));
    Map<String, TouchedFile> touched = TouchedFile.find(table, deleted.keySet(), newFiles);
    TouchedFile.firstMissing(deleted.keySet(), touched)
        .ifPresent(
            file -> {
              throw new CommitHistory(table.name(), base).fileGone(file, since, table.io());
            });
    deletes = DeleteMerge.write(table, touched, deleted, java.util.UUID.randomUUID().toString());

    List<DataFile> removedFiles = new ArrayList<>(oldFiles);
    removedFiles.addAll(deletes.dead());
    List<DeleteFile> removedDeletes = new ArrayList<>(deletes.removed());
    if (request.replaceAll()) {
      removedDeletes.addAll(liveDeleteFiles());
    }
    Transaction transaction = Transactions.newTransaction(table.name(), operations);
    stage(transaction, newFiles, removedFiles, removedDeletes);
    Snapshot staged = transaction.table().currentSnapshot();
    StagedSnapshot.requireOneDeleteFileEach(
        transaction.table(), staged, deletes.rewritten().keySet());
    transaction
        .updateProperties()
        .set(LedgerMirror.PROPERTY, new LedgerMirror(staged.snapshotId(), ledger()).toJson())
        .commit();
    extension.addTo(transaction, staged.snapshotId());
    operations.commit(transaction, "commit " + request.id() + " of " + table.name());
    OptionalLong found = operations.found();
    if (found.isPresent() && found.getAsLong() != staged.snapshotId()) {
      discard();
      return new CommitResult(found.getAsLong(), true, attempt, 0, 0, 0);
    }
    return new CommitResult(
        staged.snapshotId(),
        false,
        attempt,
        newFiles.stream().mapToLong(DataFile::recordCount).sum(),
        removedFiles.size(),
        deletes.rewritten().size());
  }

  /** Removes the delete files of this attempt after a certain failure. */
  void discard() {
    if (deletes != null) {
      deletes.discard();
    }
  }

  private void stage(
      Transaction transaction,
      List<DataFile> newFiles,
      List<DataFile> removedFiles,
      List<DeleteFile> removedDeletes) {
    if (deletes.added().isEmpty() && removedFiles.isEmpty() && removedDeletes.isEmpty()) {
      // An empty RowDelta would call itself an overwrite and stop every append-only reader.
      AppendFiles append = transaction.newAppend();
      newFiles.forEach(append::appendFile);
      label(append);
      append.commit();
      return;
    }
    RowDelta delta = transaction.newRowDelta();
    newFiles.forEach(delta::addRows);
    removedFiles.forEach(delta::removeRows);
    deletes.added().forEach(delta::addDeletes);
    removedDeletes.forEach(delta::removeDeletes);
    Snapshot current = base.currentSnapshot();
    if (current != null) {
      delta.validateFromSnapshot(current.snapshotId());
    }
    Set<String> referenced = deletes.rewritten().keySet();
    delta.validateDataFilesExist(referenced);
    delta.validateDeletedFiles();
    label(delta);
    delta.commit();
  }

  private void label(SnapshotUpdate<?> update) {
    update.scanManifestsWith(ManifestThreads.of(table));
    ledger().toSummary().forEach(update::set);
    update.validateWith(
        ancestors -> {
          for (Snapshot ancestor : ancestors) {
            if (CommitHistory.carries(ancestor, request.id())) {
              return false;
            }
          }
          return true;
        });
  }

  private Ledger ledger() {
    return request.ledger().toBuilder().commit(request.id()).build();
  }

  private List<DataFile> liveDataFiles() {
    List<DataFile> files = new ArrayList<>();
    if (base.currentSnapshot() != null) {
      for (ManifestFile manifest : base.currentSnapshot().dataManifests(table.io())) {
        addAll(files, ManifestFiles.read(manifest, table.io(), table.specs()));
      }
    }
    return files;
  }

  private List<DeleteFile> liveDeleteFiles() {
    List<DeleteFile> files = new ArrayList<>();
    if (base.currentSnapshot() != null) {
      for (ManifestFile manifest : base.currentSnapshot().deleteManifests(table.io())) {
        addAll(files, ManifestFiles.readDeleteManifest(manifest, table.io(), table.specs()));
      }
    }
    return files;
  }

  private static <F extends org.apache.iceberg.ContentFile<F>> void addAll(
      List<F> files, ManifestReader<F> reader) {
    try (reader) {
      reader.forEach(files::add);
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
