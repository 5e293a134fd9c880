package io.sluice.table;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.IoReason;
import io.sluice.errors.SluiceException;
import java.util.List;
import java.util.OptionalLong;
import org.apache.iceberg.HasTableOperations;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableOperations;
import org.apache.iceberg.exceptions.CommitStateUnknownException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Commits what the writers produced, with the ledger, in one snapshot. The positions to delete are
 * merged with the current snapshot's deletes at commit time, so that every data file has one
 * deletion vector (one file-scoped position delete file in format version 2). A commit id lands at
 * most once, whatever the catalog answers and however often a commit is repeated.
 *
 * <p>One committer serves one table. It remembers which files were rewritten by {@link FileRewrite}
 * between its commits: rows may go on to be named by the files in which they lay before.
 */
public final class TableCommitter {

  private static final Logger LOG = LoggerFactory.getLogger(TableCommitter.class);

  /** Attempts of one call before it gives up. */
  static final int MAX_ATTEMPTS = 12;

  private final RetryPause pause;
  private final Relocations relocations = new Relocations();

  public TableCommitter() {
    this(RetryPause.EXPONENTIAL);
  }

  TableCommitter(RetryPause pause) {
    this.pause = pause;
  }

  /**
   * Commits a request, again where other commits came between and do not matter. The table object
   * is refreshed, if the catalog still answers; until then its columns are those that the outcomes
   * were written with.
   *
   * @throws SluiceException COMMIT_CONFLICT if others changed what the request relies on, or came
   *     first too often: nothing was changed, the outcomes can be {@link #discard discarded};
   *     COMMIT_UNKNOWN if the catalog left it open whether the commit landed: the files must stay,
   *     and committing the same id again settles it; CATALOG_UNAVAILABLE or STORAGE if the attempt
   *     failed before anything could land
   */
  public CommitResult commit(Table table, CommitRequest request) {
    return commit(table, request, CommitExtension.NONE);
  }

  /**
   * As {@link #commit(Table, CommitRequest)}.
   *
   * @param extension what else belongs into the transaction
   */
  public CommitResult commit(Table table, CommitRequest request, CommitExtension extension) {
    TableOperations operations = ((HasTableOperations) table).operations();
    Schema written = table.schema();
    RuntimeException doubt = null;
    RuntimeException last = null;
    for (int attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      if (attempt > 1) {
        pause.after(attempt - 1);
      }
      CommitAttempt current = null;
      try {
        TableMetadata base = operations.refresh();
        OptionalLong landed = CommitHistory.find(base, request.id());
        if (landed.isPresent()) {
          refresh(table);
          return new CommitResult(landed.getAsLong(), doubt == null, attempt, 0, 0, 0);
        }
        WrittenColumns.require(table.name(), written, base.schema());
        current =
            new CommitAttempt(table.name(), operations, base, request, extension, relocations);
        CommitResult result = current.run(attempt);
        refresh(table);
        return result;
      } catch (PinnedOperations.StaleBaseException stale) {
        current.discard();
        last = stale;
      } catch (CommitStateUnknownException unknown) {
        LOG.warn("It is not known whether commit {} of {} landed", request.id(), table.name());
        doubt = unknown;
      } catch (RuntimeException failure) {
        if (current != null) {
          current.discard();
        }
        if (doubt == null) {
          throw certain(table, failure);
        }
        doubt.addSuppressed(failure);
        if (failure instanceof SluiceException) {
          break;
        }
      }
    }
    throw doubt != null ? unknown(table, request, doubt) : outrun(table, last);
  }

  /**
   * Which rewrites of files this committer has followed, for one that goes on with the same places.
   *
   * @param upTo the snapshot of its last commit
   */
  public byte[] followed(long upTo) {
    return relocations.toBytes(upTo);
  }

  /**
   * Goes on where another committer was, with what the table has rewritten since then.
   *
   * @param followed what {@link #followed} gave
   */
  public void follow(Table table, byte[] followed) {
    relocations.restore(followed, table);
  }

  /** A commit that has landed stays landed, whether or not the catalog can be read afterwards. */
  private static void refresh(Table table) {
    try {
      table.refresh();
    } catch (RuntimeException e) {
      LOG.warn("Table {} cannot be read after a commit to it", table.name(), e);
    }
  }

  /** Removes the files of outcomes that will never be committed; failures leave orphans. */
  public void discard(Table table, List<WriteOutcome> outcomes) {
    outcomes.stream()
        .flatMap(outcome -> outcome.dataFiles().stream())
        .forEach(file -> FileCleanup.delete(table, file.location()));
  }

  private static RuntimeException certain(Table table, RuntimeException failure) {
    if (failure instanceof SluiceException || failure instanceof IllegalStateException) {
      return failure;
    }
    return new SluiceException(
        failure instanceof java.io.UncheckedIOException
                || failure instanceof org.apache.iceberg.exceptions.RuntimeIOException
                || failure instanceof org.apache.iceberg.exceptions.NotFoundException
            ? ErrorCode.STORAGE
            : ErrorCode.CATALOG_UNAVAILABLE,
        "the commit to table "
            + table.name()
            + " failed and changed nothing: "
            + IoReason.of(failure),
        "Run the update again when the cause is removed",
        failure);
  }

  private static SluiceException unknown(
      Table table, CommitRequest request, RuntimeException doubt) {
    return new SluiceException(
        ErrorCode.COMMIT_UNKNOWN,
        "the catalog does not say whether commit "
            + request.id()
            + " to table "
            + table.name()
            + " landed: "
            + doubt.getMessage(),
        "Run the update again; it finds out and repeats nothing",
        doubt);
  }

  private static SluiceException outrun(Table table, RuntimeException last) {
    return new SluiceException(
        ErrorCode.COMMIT_CONFLICT,
        "other writers were faster "
            + MAX_ATTEMPTS
            + " times in a row when this update committed to table "
            + table.name(),
        "Run the update again",
        last);
  }
}
