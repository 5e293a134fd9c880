package io.sluice.run;

import java.util.List;
import java.util.OptionalLong;

/**
 * What an update did for one target.
 *
 * @param target full name of the table
 * @param flows its flows in declaration order
 * @param inserted rows that are new in the table
 * @param updated rows that have new values or a new end
 * @param deleted rows that are gone
 * @param rowsMoved rows that are the same, in another file
 * @param existingRowsRead rows of the table that were read back
 * @param existingBytesRead bytes that this cost
 * @param tombstones what the target remembers of deletes
 * @param steps commits
 * @param seconds time it took
 * @param snapshot the table's snapshot after the update; empty if it has none
 */
public record TargetResult(
    String target,
    List<FlowResult> flows,
    long inserted,
    long updated,
    long deleted,
    long rowsMoved,
    long existingRowsRead,
    long existingBytesRead,
    Tombstones tombstones,
    int steps,
    double seconds,
    OptionalLong snapshot) {

  public TargetResult {
    flows = List.copyOf(flows);
  }
}
