package io.sluice.sequencing;

import java.io.Serializable;
import java.util.List;

/**
 * Which columns of its target the events of a flow write (semantics 8.1). Key columns are always
 * written.
 *
 * @param delivered positions of the columns that the flow delivers; where it has a clause for
 *     partial updates it leaves the others alone, else it writes NULL into them
 * @param ignoreNull positions of the columns in which NULL means unchanged (IGNORE NULL UPDATES)
 * @param listed whether a column of the event names the columns that it writes (COLUMNS TO UPDATE)
 * @param unavailable what stands for a value that was not sent; null if nothing does
 */
public record Authorship(
    List<Integer> delivered, List<Integer> ignoreNull, boolean listed, UnavailableValue unavailable)
    implements Serializable {

  public Authorship {
    delivered = List.copyOf(delivered);
    ignoreNull = List.copyOf(ignoreNull);
  }

  /** A flow without any clause for partial updates: every column is written. */
  public static Authorship complete(List<Integer> delivered) {
    return new Authorship(delivered, List.of(), false, null);
  }

  /** Whether events may leave columns alone. */
  public boolean isPartial() {
    return hasClause() || unavailable != null;
  }

  boolean hasClause() {
    return listed || !ignoreNull.isEmpty();
  }
}
