package io.sluice.table;

import java.util.function.Predicate;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableOperations;
import org.apache.iceberg.encryption.EncryptionManager;
import org.apache.iceberg.exceptions.CleanableFailure;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.exceptions.CommitStateUnknownException;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.LocationProvider;

/**
 * A table's operations for exactly one attempt of a commit, against the metadata that the attempt
 * was planned on: Iceberg's own retries would apply the plan to a table it was not made for. A
 * catalog that reports a failure although the commit landed is found out before Iceberg removes the
 * manifests of the attempt.
 */
final class PinnedOperations implements TableOperations {

  private final TableOperations delegate;
  private final TableMetadata base;
  private final Predicate<TableMetadata> landed;
  private boolean committed;

  /**
   * @param base what the attempt was planned on: the delegate's current metadata
   * @param landed tells from refreshed metadata whether the attempt's commit is in it
   */
  PinnedOperations(TableOperations delegate, TableMetadata base, Predicate<TableMetadata> landed) {
    this.delegate = delegate;
    this.base = base;
    this.landed = landed;
  }

  /** The catalog refused the attempt for certain; the base is outdated. */
  static final class StaleBaseException extends RuntimeException implements CleanableFailure {
    private static final long serialVersionUID = 1L;

    StaleBaseException(CommitFailedException cause) {
      super(cause.getMessage(), cause);
    }
  }

  /** Whether the attempt has landed. */
  boolean committed() {
    return committed;
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
      throw new CommitStateUnknownException(failure);
    }
    committed = true;
  }

  private boolean landedAfterAll(CommitFailedException refused) {
    try {
      return landed.test(delegate.refresh());
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
