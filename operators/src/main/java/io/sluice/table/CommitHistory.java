package io.sluice.table;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.SluiceException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataOperations;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.util.SnapshotUtil;

/**
 * What happened to a table between the plan of a commit and now, and whether the commit may still
 * be made: compaction and other rewrites may, foreign appends may where the commit does not depend
 * on all rows, another commit of Sluice or anything else that changed rows may not.
 */
final class CommitHistory {

  private static final List<String> WHO =
      List.of("engine-name", "app-id", "spark.app.id", "flink.job-id", Ledger.PIPELINE);

  private final String table;
  private final TableMetadata metadata;

  CommitHistory(String table, TableMetadata metadata) {
    this.table = table;
    this.metadata = metadata;
  }

  /** The snapshot in the ancestry of the current one that holds the commit. */
  static OptionalLong find(TableMetadata metadata, CommitId id) {
    Snapshot current = metadata.currentSnapshot();
    if (current == null) {
      return OptionalLong.empty();
    }
    for (Snapshot ancestor : SnapshotUtil.ancestorsOf(current.snapshotId(), metadata::snapshot)) {
      if (carries(ancestor, id)) {
        return OptionalLong.of(ancestor.snapshotId());
      }
    }
    return OptionalLong.empty();
  }

  static boolean carries(Snapshot snapshot, CommitId id) {
    return snapshot.summary() != null && id.text().equals(snapshot.summary().get(Ledger.COMMIT));
  }

  /**
   * Checks the commits since the plan and returns them, newest first.
   *
   * @throws SluiceException COMMIT_CONFLICT if one of them changed what the plan relies on
   */
  List<Snapshot> requireUnchanged(CommitRequest request) {
    List<Snapshot> since = since(request.plannedSnapshot());
    boolean deletes = request.outcomes().stream().anyMatch(o -> !o.deleted().isEmpty());
    for (Snapshot snapshot : since) {
      if (Ledger.fromSummary(snapshot.summary()).isPresent()) {
        throw conflict(snapshot, "another run of Sluice committed to table " + table);
      }
      boolean harmless =
          request.replaceAll()
              || FileRewrite.isNeutral(snapshot)
              || (!request.keyed()
                  && (!deletes || snapshot.operation().equals(DataOperations.APPEND)));
      if (!harmless) {
        throw conflict(snapshot, "another writer changed rows of table " + table);
      }
    }
    return since;
  }

  private List<Snapshot> since(OptionalLong planned) {
    List<Snapshot> since = new ArrayList<>();
    Snapshot current = metadata.currentSnapshot();
    Long parent = current == null ? null : current.snapshotId();
    while (parent != null) {
      if (planned.isPresent() && planned.getAsLong() == parent) {
        return since;
      }
      Snapshot snapshot = metadata.snapshot(parent);
      if (snapshot == null) {
        break;
      }
      since.add(snapshot);
      parent = snapshot.parentId();
    }
    if (planned.isPresent() || parent != null) {
      throw new SluiceException(
          ErrorCode.COMMIT_CONFLICT,
          (planned.isPresent() ? "snapshot " + planned.getAsLong() : "the empty state")
              + " of table "
              + table
              + ", which this update read, is no ancestor of its current snapshot any more: "
              + "the table was rolled back or the snapshot is expired",
          "Run the update again");
    }
    return since;
  }

  /** The error for a data file that is gone although the commit deletes rows in it. */
  SluiceException fileGone(String file, List<Snapshot> since, FileIO io) {
    Optional<Snapshot> culprit =
        since.stream().filter(snapshot -> removes(snapshot, file, io)).findFirst();
    String what =
        "table " + table + " has no data file " + file + " any more, in which rows change";
    return culprit.isPresent()
        ? conflict(culprit.get(), what)
        : new SluiceException(ErrorCode.COMMIT_CONFLICT, what, "Run the update again");
  }

  private static boolean removes(Snapshot snapshot, String file, FileIO io) {
    for (DataFile removed : snapshot.removedDataFiles(io)) {
      if (removed.location().equals(file)) {
        return true;
      }
    }
    return false;
  }

  private static SluiceException conflict(Snapshot snapshot, String what) {
    StringBuilder message = new StringBuilder(what);
    message.append(": snapshot ").append(snapshot.snapshotId());
    message.append(", operation ").append(snapshot.operation());
    for (String key : WHO) {
      String value = snapshot.summary().get(key);
      if (value != null) {
        message.append(", ").append(key).append(' ').append(value);
      }
    }
    message.append(", came after this update had read the table");
    return new SluiceException(
        ErrorCode.COMMIT_CONFLICT, message.toString(), "Run the update again");
  }
}
