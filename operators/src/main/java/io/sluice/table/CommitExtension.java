package io.sluice.table;

import org.apache.iceberg.Transaction;

/** What else belongs into the transaction of a commit. */
@FunctionalInterface
public interface CommitExtension {

  /** Nothing else. */
  CommitExtension NONE = (transaction, snapshotId) -> {};

  /** Adds to the transaction, after the snapshot with the given id was staged. */
  void addTo(Transaction transaction, long snapshotId);
}
