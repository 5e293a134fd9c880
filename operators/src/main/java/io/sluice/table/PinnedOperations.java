package io.sluice.table;

import java.util.List;
import java.util.OptionalLong;
import java.util.function.Function;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableOperations;
import org.apache.iceberg.Transaction;
import org.apache.iceberg.encryption.EncryptionManager;
import org.apache.iceberg.exceptions.CleanableFailure;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.exceptions.CommitStateUnknownException;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.LocationProvider;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A table's operations for exactly one attempt of a commit, against the metadata that the attempt
 * was planned on: Iceberg's own retries would apply the plan to a table it was not made for. A
 * catalog that reports a failure although the commit landed is found out before Iceberg removes the
 * manifests of the attempt.
 */
final class PinnedOperations implements TableOperations {

  private static final Logger LOG = LoggerFactory.getLogger(PinnedOperations.class);

  private final TableOperations delegate;
  private final TableMetadata base;
  private final Function<TableMetadata, OptionalLong> landed;
  private OptionalLong found = OptionalLong.empty();
  private boolean committed;

  /**
   * @param base what the attempt was planned on: the delegate's current metadata
   * @param landed finds the snapshot of the attempt's commit in refreshed metadata
   */
  PinnedOperations(
      TableOperations delegate, TableMetadata base, Function<TableMetadata, OptionalLong> landed) {
    this.delegate = delegate;
    this.base = base;
    this.landed = landed;
  }

  private static final List<String> SQLITE_REFUSALS =
      List.of("SQLITE_BUSY", "SQLITE_LOCKED", "SQLITE_READONLY", "SQLITE_FULL", "SQLITE_CANTOPEN");

  /** The catalog could not execute the attempt, for certain. */
  private static final class RefusedException extends RuntimeException implements CleanableFailure {
    private static final long serialVersionUID = 1L;

    RefusedException(RuntimeException cause) {
      super(cause.getMessage(), cause);
    }
  }

  /** The catalog refused the attempt for certain; the base is outdated. */
  static final class StaleBaseException extends RuntimeException implements CleanableFailure {
    private static final long serialVersionUID = 1L;

    StaleBaseException(CommitFailedException cause) {
      super(cause.getMessage(), cause);
    }
  }

  /**
   * Commits a transaction on these operations. What fails behind the commit itself is clearing up,
   * and changes nothing about it.
   *
   * @param what names the commit in the log
   */
  void commit(Transaction transaction, String what) {
    try {
      transaction.commitTransaction();
    } catch (RuntimeException e) {
      if (!committed) {
        throw e;
      }
      LOG.warn("Clearing up behind {} failed", what, e);
    }
  }

  /**
   * The snapshot with which it had landed where the catalog refused the attempt: the attempt's own,
   * or that of an earlier one which was still under way.
   */
  OptionalLong found() {
    return found;
  }

  @Override
  public TableMetadata current() {
    return committed ? delegate.current() : base;
  }

  @Override
  public TableMetadata refresh() {
    return committed ? delegate.refresh() : base;
  }

  @Override
  public void commit(TableMetadata expected, TableMetadata updated) {
    try {
      delegate.commit(expected, updated);
    } catch (CommitFailedException refused) {
      if (!landedAfterAll(refused)) {
        throw new StaleBaseException(refused);
      }
    } catch (RuntimeException failure) {
      if (failure instanceof CleanableFailure || failure instanceof CommitStateUnknownException) {
        throw failure;
      }
      if (isRefused(failure)) {
        throw new RefusedException(failure);
      }
      throw new CommitStateUnknownException(failure);
    }
    committed = true;
  }

  /** SQLite says in its error codes that a statement has not been executed. */
  private static boolean isRefused(RuntimeException failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      String text = String.valueOf(cause.getMessage());
      if (SQLITE_REFUSALS.stream().anyMatch(text::contains)) {
        return true;
      }
    }
    return false;
  }

  private boolean landedAfterAll(CommitFailedException refused) {
    try {
      found = landed.apply(delegate.refresh());
      return found.isPresent();
    } catch (RuntimeException e) {
      refused.addSuppressed(e);
      throw new CommitStateUnknownException(refused);
    }
  }

  @Override
  public FileIO io() {
    return delegate.io();
  }

  @Override
  public EncryptionManager encryption() {
    return delegate.encryption();
  }

  @Override
  public String metadataFileLocation(String fileName) {
    return delegate.metadataFileLocation(fileName);
  }

  @Override
  public LocationProvider locationProvider() {
    return delegate.locationProvider();
  }

  @Override
  public TableOperations temp(TableMetadata uncommitted) {
    return delegate.temp(uncommitted);
  }

  @Override
  public long newSnapshotId() {
    return delegate.newSnapshotId();
  }

  @Override
  public boolean requireStrictCleanup() {
    return delegate.requireStrictCleanup();
  }
}
