package io.sluice.continuous;

import java.io.Serializable;
import java.util.Set;

/**
 * Looks, while a continuous job runs, whether its sources are still those whose positions it has.
 */
public interface SourceWatch extends Serializable {

  /** Opens it, in the task that commits. */
  Session open();

  /**
   * A source of a flow.
   *
   * @param flow name of the flow
   * @param source id of the source
   */
  record Read(String flow, String source) implements Serializable {}

  /** The watch while the job runs. */
  interface Session extends AutoCloseable {

    /**
     * Looks whether all that sources have handed out so far was theirs. Waits for it, but not again
     * while they do not answer.
     *
     * @return false where it cannot be told now, so that nothing of it may be committed yet
     * @throws io.sluice.errors.SluiceException KAFKA_OFFSETS_LOST if it was not, or if a source is
     *     gone; RESTART_NEEDED if the run may go on with what is there now
     */
    boolean confirms(Set<Read> sources);

    /**
     * Looks from time to time at all sources; does not wait for them.
     *
     * @throws io.sluice.errors.SluiceException as {@link #confirms}
     */
    void look();

    @Override
    void close();
  }
}
