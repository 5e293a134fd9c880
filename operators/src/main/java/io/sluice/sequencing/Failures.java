package io.sluice.sequencing;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.SluiceException;
import java.util.Set;
import org.apache.flink.runtime.execution.SuppressRestartsException;

/** Which failures of a continuous job are worth another try. */
public final class Failures {

  private static final Set<ErrorCode> PASSING =
      Set.of(ErrorCode.CATALOG_UNAVAILABLE, ErrorCode.STORAGE, ErrorCode.COMMIT_UNKNOWN);

  private Failures() {}

  /**
   * A failure in the form in which a task throws it: one that would come again at once ends the job
   * instead of starting it again from its last checkpoint.
   */
  public static Exception inTask(Exception failure) {
    boolean certain = failure instanceof SluiceException known && !PASSING.contains(known.code());
    return certain ? new SuppressRestartsException(failure) : failure;
  }
}
