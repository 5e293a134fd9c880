package io.sluice.plan;

import io.sluice.table.Ledger;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * The ledger's note of a continuous run: its id, where it was started and when. It stands from the
 * first commit of the run to the one that says it has stopped; meanwhile nobody else may write.
 *
 * @param run id of the run, the first part of its commit ids
 * @param started where and when, and the most tasks that its state can be spread over, for people
 */
public record ContinuousMarker(String run, String started) {

  private static final String NAME = "continuous";

  /** The run that the ledger counts as going on. */
  public static Optional<ContinuousMarker> of(Ledger ledger) {
    return ledger
        .extra(NAME)
        .filter(text -> !text.isEmpty())
        .map(text -> text.split(" ", 2))
        .map(parts -> new ContinuousMarker(parts[0], parts.length > 1 ? parts[1] : ""));
  }

  /**
   * A run that begins here and now.
   *
   * @param maxParallelism of its job
   */
  public static ContinuousMarker begin(String run, int maxParallelism) {
    return new ContinuousMarker(
        run,
        "on "
            + host()
            + ", process "
            + ManagementFactory.getRuntimeMXBean().getPid()
            + ", at "
            + Instant.now().truncatedTo(ChronoUnit.SECONDS)
            + ", maximum parallelism "
            + maxParallelism);
  }

  /** Notes the run. */
  public void write(Ledger.Builder ledger) {
    ledger.extra(NAME, run + " " + started);
  }

  /** Notes that no run goes on, where the ledger before says that one does. */
  public static void end(Ledger before, Ledger.Builder ledger) {
    if (of(before).isPresent()) {
      ledger.extra(NAME, "");
    }
  }

  private static String host() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "an unnamed host";
    }
  }
}
