package io.sluice.continuous;

import io.sluice.sequencing.UpdateOutput;
import java.io.Serializable;
import java.util.List;

/** Commits the checkpoints of one target. */
public interface Commits extends Serializable {

  /** Opens the target, in the task. */
  Session open();

  /** The target while the job runs. */
  interface Session extends AutoCloseable {

    /**
     * The last checkpoint that the target's ledger has, {@link Checkpoint.Id#BEGIN} if it has none.
     *
     * @throws io.sluice.errors.SluiceException COMMIT_CONFLICT if the ledger is that of another
     *     run, or says that this one has stopped
     */
    Checkpoint.Id committed();

    /**
     * Looks at what a checkpoint is going to commit.
     *
     * @throws io.sluice.errors.SluiceException INVALID_EVENT if it must not be committed
     */
    void check(List<UpdateOutput> outputs);

    /**
     * Commits a checkpoint; again with the same id it finds out what an earlier call has done.
     *
     * @throws io.sluice.errors.SluiceException COMMIT_CONFLICT if others changed the table
     */
    void commit(Checkpoint checkpoint);

    /** What a session that goes on from a checkpoint needs beside the ledger. */
    byte[] memory();

    /**
     * Goes on from a checkpoint.
     *
     * @param memory what {@link #memory} gave for it
     */
    void recall(byte[] memory);

    @Override
    void close();
  }
}
