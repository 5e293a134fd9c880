package io.sluice.table;

import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;

/**
 * One atomic change of a table.
 *
 * @param outcomes all that the writers produced; may be empty, then only the ledger advances
 * @param ledger what the new snapshot carries; its commit id is replaced by {@code id}
 * @param plannedSnapshot the snapshot that the plan read, empty if the table had none
 * @param replaceAll every row that the table holds goes in the same commit (a full refresh)
 * @param keyed the outcomes depend on all rows of the table, so that any row changed by others
 *     since the plan is a conflict; otherwise foreign appends are fine
 * @param id the identity under which the commit lands at most once
 */
public record CommitRequest(
    List<WriteOutcome> outcomes,
    Ledger ledger,
    OptionalLong plannedSnapshot,
    boolean replaceAll,
    boolean keyed,
    CommitId id) {

  public CommitRequest {
    outcomes = List.copyOf(outcomes);
    Objects.requireNonNull(ledger, "ledger");
    Objects.requireNonNull(plannedSnapshot, "plannedSnapshot");
    Objects.requireNonNull(id, "id");
  }
}
