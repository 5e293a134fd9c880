package io.sluice.continuous;

import java.io.Serializable;
import java.util.List;

/**
 * Finds what arrives at a growing source: files of a folder, snapshots of a table.
 *
 * @param <A> an arrival; it is read between two barriers, never in two checkpoints
 */
public interface Arrivals<A extends Serializable> extends Serializable {

  /**
   * Begins to look, in the task.
   *
   * @param handedOut what an earlier attempt of the job has handed out, as {@link #remembered} gave
   *     it
   */
  Search<A> open(List<A> handedOut);

  /** What of the arrivals that were handed out must be known to go on behind them. */
  default List<A> remembered(List<A> handedOut) {
    return handedOut;
  }

  /**
   * Looks for arrivals; used by one thread.
   *
   * @param <A> an arrival
   */
  interface Search<A> extends AutoCloseable {

    /**
     * What has arrived since the last call, in the order in which it is to be read.
     *
     * @throws io.sluice.errors.SluiceException where the source cannot be looked at
     */
    List<A> next();

    @Override
    default void close() {}
  }
}
