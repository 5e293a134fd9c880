package io.sluice.table;

/**
 * What a commit did.
 *
 * @param snapshotId the snapshot that holds the commit
 * @param alreadyCommitted an earlier call had landed it; nothing was changed now
 * @param attempts attempts of this call, at least 1
 * @param addedRows rows of the added data files, as the snapshot's summary counts them
 * @param removedFiles data files that left the table because no live row was left in them, or all
 *     files of a full refresh
 * @param touchedFiles data files that got a new deletion vector or position delete file
 */
public record CommitResult(
    long snapshotId,
    boolean alreadyCommitted,
    int attempts,
    long addedRows,
    int removedFiles,
    int touchedFiles) {}
