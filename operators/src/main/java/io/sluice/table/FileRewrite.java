package io.sluice.table;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.IoReason;
import io.sluice.errors.SluiceException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.iceberg.DataOperations;
import org.apache.iceberg.HasTableOperations;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotSummary;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableOperations;
import org.apache.iceberg.exceptions.CommitStateUnknownException;
import org.apache.iceberg.flink.FlinkSchemaUtil;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.TypeUtil;
import org.apache.iceberg.util.SnapshotUtil;

/**
 * Rewrites small files and files with many deleted rows into larger ones, beside whoever writes the
 * table. Rows keep their order and row ids; each commit says where they went ({@link MovedRows}),
 * so that commits which delete rows by their old places go on. The ledger is that of the ancestors.
 */
public final class FileRewrite {

  /** Summary key of the snapshots that hold the same rows as their parent, in other files. */
  public static final String SUMMARY_KEY = "sluice.rewrite";

  private static final int MAX_ATTEMPTS = 12;
  private static final long BATCH_BYTES = 4L << 30;

  private final RetryPause pause;

  public FileRewrite() {
    this(RetryPause.EXPONENTIAL);
  }

  FileRewrite(RetryPause pause) {
    this.pause = pause;
  }

  /**
   * What a rewrite did.
   *
   * @param commits snapshots that it made
   * @param filesBefore files that are gone
   * @param filesAfter files in their place
   * @param groupsLeft groups of files that others removed meanwhile
   */
  public record Result(int commits, int filesBefore, int filesAfter, int groupsLeft) {

    private Result plus(Result other) {
      return new Result(
          commits + other.commits,
          filesBefore + other.filesBefore,
          filesAfter + other.filesAfter,
          groupsLeft + other.groupsLeft);
    }
  }

  /** Whether a snapshot is the commit of a rewrite. */
  static boolean isOurs(Snapshot snapshot) {
    return DataOperations.REPLACE.equals(snapshot.operation())
        && snapshot.summary().containsKey(SUMMARY_KEY);
  }

  /** Whether a snapshot has the same rows as its parent, whoever made it. */
  static boolean isNeutral(Snapshot snapshot) {
    return DataOperations.REPLACE.equals(snapshot.operation())
        || (DataOperations.APPEND.equals(snapshot.operation())
            && snapshot.summary().containsKey(SUMMARY_KEY)
            && !snapshot.summary().containsKey(SnapshotSummary.ADDED_FILES_PROP));
  }

  /** Whether a table has the rows of a snapshot: whatever came later rewrote files at most. */
  static boolean onlySince(Table table, long snapshotId) {
    Snapshot snapshot = table.currentSnapshot();
    while (snapshot != null && snapshot.snapshotId() != snapshotId) {
      snapshot =
          isNeutral(snapshot) && snapshot.parentId() != null
              ? table.snapshot(snapshot.parentId())
              : null;
    }
    return snapshot != null;
  }

  /** The snapshot in the ancestry of the current one that holds a rewrite. */
  static OptionalLong find(TableMetadata metadata, String id) {
    Snapshot current = metadata.currentSnapshot();
    if (current != null) {
      for (Snapshot each : SnapshotUtil.ancestorsOf(current.snapshotId(), metadata::snapshot)) {
        if (id.equals(each.summary().get(SUMMARY_KEY))) {
          return OptionalLong.of(each.snapshotId());
        }
      }
    }
    return OptionalLong.empty();
  }

  /**
   * Whether the rows of a table come out of a rewrite as they went in: times of the day have
   * microseconds in Iceberg and milliseconds in Flink, other types Flink does not know at all.
   */
  public static boolean isExact(Table table) {
    boolean times =
        TypeUtil.indexById(table.schema().asStruct()).values().stream()
            .anyMatch(field -> field.type().typeId() == Type.TypeID.TIME);
    try {
      FlinkSchemaUtil.convert(table.schema());
      return !times;
    } catch (UnsupportedOperationException e) {
      return false;
    }
  }

  /**
   * Rewrites what is worth it. The table object is refreshed.
   *
   * @param threads groups that are written at a time
   * @throws SluiceException STORAGE or CATALOG_UNAVAILABLE; what was committed before stays, and
   *     the files of what was not are removed
   */
  public Result rewrite(Table table, int threads) {
    table.refresh();
    if (table.currentSnapshot() == null) {
      return new Result(0, 0, 0, 0);
    }
    Map<Long, List<FileGroup>> eras = new TreeMap<>();
    for (FileGroup group : RewritePlan.of(table, table.currentSnapshot().snapshotId())) {
      eras.computeIfAbsent(group.era(), era -> new ArrayList<>()).add(group);
    }
    Result total = new Result(0, 0, 0, 0);
    for (List<FileGroup> era : eras.values()) {
      for (List<FileGroup> groups : batches(era)) {
        total = total.plus(commit(table, write(table, groups, threads)));
      }
    }
    table.refresh();
    return total;
  }

  /** So much is read before it is committed: what fails later leaves this done. */
  private static List<List<FileGroup>> batches(List<FileGroup> groups) {
    List<List<FileGroup>> batches = new ArrayList<>();
    long bytes = BATCH_BYTES;
    for (FileGroup group : groups) {
      if (bytes >= BATCH_BYTES) {
        batches.add(new ArrayList<>());
        bytes = 0;
      }
      batches.get(batches.size() - 1).add(group);
      bytes += group.files().stream().mapToLong(RowSplit::length).sum();
    }
    return batches;
  }

  /** Writes the groups; nothing of them is left where one fails. */
  static List<RewrittenGroup> write(Table table, List<FileGroup> groups, int threads) {
    String operationId = "rewrite-" + UUID.randomUUID();
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    AtomicBoolean failed = new AtomicBoolean();
    List<Future<Optional<RewrittenGroup>>> futures = new ArrayList<>();
    for (int i = 0; i < groups.size(); i++) {
      int number = i;
      futures.add(
          pool.submit(
              () -> {
                if (failed.get()) {
                  return Optional.empty();
                }
                try {
                  return Optional.of(
                      new GroupWriter(table, groups.get(number), number, operationId).write());
                } catch (Throwable e) {
                  failed.set(true);
                  throw e;
                }
              }));
    }
    pool.shutdown();
    List<RewrittenGroup> written = new ArrayList<>();
    Throwable failure = null;
    for (Future<Optional<RewrittenGroup>> future : futures) {
      try {
        future.get().ifPresent(written::add);
      } catch (ExecutionException e) {
        failure = e.getCause();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        failed.set(true);
        failure = e;
      }
    }
    if (failure != null) {
      discard(table, written);
      throw failed(ErrorCode.STORAGE, table, failure);
    }
    return written;
  }

  /** Commits groups; those of which a file is gone are left out and removed. */
  Result commit(Table table, List<RewrittenGroup> groups) {
    String id = UUID.randomUUID().toString();
    TableOperations operations = ((HasTableOperations) table).operations();
    CommitStateUnknownException doubt = null;
    RuntimeException last = null;
    for (int attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      if (attempt > 1) {
        pause.after(attempt - 1);
      }
      RewriteAttempt current = null;
      try {
        TableMetadata base = operations.refresh();
        if (find(base, id).isPresent()) {
          return result(groups, List.of());
        }
        current = new RewriteAttempt(table.name(), operations, base, groups, id);
        List<RewrittenGroup> left = current.run();
        discard(table, left);
        return result(groups, left);
      } catch (PinnedOperations.StaleBaseException stale) {
        current.discard();
        last = stale;
      } catch (CommitStateUnknownException unknown) {
        doubt = unknown;
      } catch (RuntimeException failure) {
        if (current != null) {
          current.discard();
        }
        if (doubt == null) {
          discard(table, groups);
          throw failed(ErrorCode.CATALOG_UNAVAILABLE, table, failure);
        }
        doubt.addSuppressed(failure);
      }
    }
    if (doubt != null) {
      throw failed(ErrorCode.COMMIT_UNKNOWN, table, doubt);
    }
    discard(table, groups);
    throw failed(ErrorCode.COMMIT_CONFLICT, table, last);
  }

  private static Result result(List<RewrittenGroup> groups, List<RewrittenGroup> left) {
    List<RewrittenGroup> done = groups.stream().filter(group -> !left.contains(group)).toList();
    return new Result(
        done.isEmpty() ? 0 : 1,
        done.stream().mapToInt(group -> group.group().files().size()).sum(),
        done.stream().mapToInt(group -> group.written().size()).sum(),
        left.size());
  }

  private static void discard(Table table, List<RewrittenGroup> groups) {
    groups.stream()
        .flatMap(group -> group.written().stream())
        .forEach(file -> FileCleanup.delete(table, file.location()));
  }

  private static SluiceException failed(ErrorCode code, Table table, Throwable cause) {
    return new SluiceException(
        code,
        "the files of table " + table.name() + " could not be rewritten: " + IoReason.of(cause),
        "The table is as it was; run it again when the cause is removed",
        cause);
  }
}
