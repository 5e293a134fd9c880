package io.sluice.run;

import io.sluice.pipeline.InvalidEventRule;
import io.sluice.plan.AppliedTimes;
import io.sluice.sequencing.InvalidEvent;
import io.sluice.sequencing.QuarantineFunction;
import io.sluice.sequencing.UpdateOutput;
import io.sluice.table.CommitId;
import io.sluice.table.Ledger;
import io.sluice.table.Quarantine;
import io.sluice.table.RowChangeWriter;
import io.sluice.table.WriteOutcome;
import java.util.List;
import java.util.OptionalLong;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.TableIdentifier;

/**
 * The records of one checkpoint that go to the quarantine (semantics 0.3); the committer itself
 * writes them, because their rows name the commit.
 *
 * @param events the records; empty unless the rule is QUARANTINE
 */
record InvalidRecords(List<InvalidEvent> events) {

  static InvalidRecords of(List<UpdateOutput> outputs, InvalidEventRule rule) {
    return new InvalidRecords(
        rule != InvalidEventRule.QUARANTINE
            ? List.of()
            : outputs.stream()
                .filter(UpdateOutput.Invalid.class::isInstance)
                .flatMap(output -> ((UpdateOutput.Invalid) output).samples().stream())
                .toList());
  }

  /**
   * Commits the records, before their target.
   *
   * @param standing the ledger that the target has now
   * @return the quarantine's snapshot; empty if there was nothing to commit
   */
  OptionalLong quarantine(
      Catalog catalog,
      TableIdentifier target,
      Table targetTable,
      Ledger standing,
      long update,
      CommitId id) {
    if (events.isEmpty()) {
      return OptionalLong.empty();
    }
    Quarantine quarantine = Quarantine.ensure(catalog, target, targetTable);
    long micros = AppliedTimes.nowMicros();
    List<WriteOutcome> written;
    try (RowChangeWriter writer =
        new RowChangeWriter(quarantine.table(), 0, 0, id.text().replace('/', '-'))) {
      for (InvalidEvent event : events) {
        writer.insert(
            QuarantineFunction.row(event, micros, update, standing.lineage(), id.text()), 0);
      }
      written = writer.complete();
    }
    return quarantine.commit(written, standing, id);
  }
}
