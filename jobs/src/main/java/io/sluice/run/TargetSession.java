package io.sluice.run;

import io.sluice.catalog.CatalogErrors;
import io.sluice.continuous.Checkpoint;
import io.sluice.continuous.Commits;
import io.sluice.errors.ErrorCode;
import io.sluice.errors.SluiceException;
import io.sluice.pipeline.InvalidEventRule;
import io.sluice.plan.AppliedTimes;
import io.sluice.plan.FlowPosition;
import io.sluice.plan.SourceProgress;
import io.sluice.sequencing.Collection;
import io.sluice.sequencing.RowChange.Destination;
import io.sluice.sequencing.UpdateOutput;
import io.sluice.table.CommitId;
import io.sluice.table.CommitRequest;
import io.sluice.table.Companion;
import io.sluice.table.Ledger;
import io.sluice.table.TableCommitter;
import io.sluice.table.WriteOutcome;
import io.sluice.table.WrittenColumns;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.Catalog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One target of a continuous run, open for commits: the companion first, if it changes, then the
 * target with the new ledger, as in a triggered update.
 */
final class TargetSession implements Commits.Session {

  private static final Logger LOG = LoggerFactory.getLogger(TargetSession.class);

  /** A commit whose fate the catalog does not tell is asked for again so often. */
  private static final int ATTEMPTS = 4;

  private final TargetCommits plan;
  private final Catalog catalog;
  private final Table table;
  private final TableCommitter committer = new TableCommitter();
  private final Map<String, FlowPosition> positions = new LinkedHashMap<>();
  private final ContinuousHousekeeping housekeeping;

  private Optional<Companion> companion;
  private Ledger ledger;
  private long snapshot;

  TargetSession(TargetCommits plan) {
    this.plan = plan;
    try {
      this.catalog = plan.catalog().loadCatalog();
      this.table = catalog.loadTable(plan.target());
      WrittenColumns.require(table.name(), plan.written(), table.schema());
      Ledger.Found found = Ledger.read(table).orElseThrow(() -> otherRun("no ledger"));
      this.ledger = found.ledger();
      this.snapshot = found.snapshotId();
      this.companion = Companion.open(catalog, plan.target(), ledger);
    } catch (RuntimeException e) {
      throw CatalogErrors.unavailable("table " + plan.target(), e);
    }
    this.housekeeping = new ContinuousHousekeeping(catalog, plan.target());
    for (String flow : plan.flows()) {
      if (ledger.position(flow).isPresent()) {
        positions.put(flow, FlowPosition.of(ledger, companion, flow));
      }
    }
  }

  @Override
  public Checkpoint.Id committed() {
    CommitId last = ledger.commit().orElseThrow(() -> otherRun("no commit"));
    if (!last.update().equals(plan.run()) || last.number().isEmpty()) {
      throw otherRun("commit " + last);
    }
    return new Checkpoint.Id(last.number().getAsLong(), last.token());
  }

  private SluiceException otherRun(String what) {
    return new SluiceException(
        ErrorCode.COMMIT_CONFLICT,
        "this run of Sluice does not keep table " + plan.target() + " any more: it has " + what,
        "Only one run may keep a table; this one ends");
  }

  @Override
  public void check(List<UpdateOutput> outputs) {
    if (outputs.stream().anyMatch(UpdateOutput.Truncated.class::isInstance)) {
      throw new SluiceException(
          ErrorCode.RESTART_NEEDED,
          "a truncate of table " + plan.target() + " has arrived",
          "The run begins anew, and a triggered update applies it");
    }
    Expectations.of(outputs).failIfViolated(plan.target().toString());
    if (plan.invalidEvents() == InvalidEventRule.FAIL) {
      InvalidEvents.of(outputs).failIfAny(plan.target().toString());
    }
  }

  @Override
  public void commit(Checkpoint checkpoint) {
    CommitId id = CommitId.of(plan.run(), checkpoint.id().number(), checkpoint.id().token());
    for (int attempt = 1; ; attempt++) {
      try {
        commit(checkpoint.outputs(), id);
        return;
      } catch (SluiceException e) {
        if (e.code() != ErrorCode.COMMIT_UNKNOWN || attempt == ATTEMPTS) {
          throw e;
        }
      }
    }
  }

  private void commit(List<UpdateOutput> outputs, CommitId id) {
    long update = ledger.extraNumber("update").orElse(0L) + 1;
    Map<String, FlowPosition> reached = reached(outputs);
    PositionSpill spill = new PositionSpill(update, reserved());
    Map<String, FlowPosition> kept = spill.shorten(reached);
    Ledger.Builder next = ledger.toBuilder();
    kept.forEach((flow, position) -> next.position(flow, position.toJson()));
    next.extra("update", Long.toString(update));
    AppliedTimes times = AppliedTimes.of(ledger);
    times.write(
        next,
        id,
        times.next(AppliedTimes.nowMicros()),
        Collection.NONE,
        StepCommitter.expired(outputs));
    List<WriteOutcome> remembered =
        new ArrayList<>(StepCommitter.outcomes(outputs, Destination.COMPANION));
    remembered.addAll(spilled(spill, kept, id));
    if (!remembered.isEmpty()) {
      next.companion(ensureCompanion().commit(remembered, id));
    }
    InvalidRecords.of(outputs, plan.invalidEvents())
        .quarantine(catalog, plan.target(), table, ledger, update, id)
        .ifPresent(next::quarantine);
    CommitRequest request =
        new CommitRequest(
            StepCommitter.outcomes(outputs, Destination.TARGET),
            next.build(),
            OptionalLong.of(snapshot),
            false,
            plan.keyed(),
            id);
    snapshot = committer.commit(table, request).snapshotId();
    ledger = next.commit(id).build();
    positions.putAll(kept);
    companion.ifPresent(this::finish);
    housekeeping.committed();
  }

  /** The positions of all flows after a checkpoint. */
  private Map<String, FlowPosition> reached(List<UpdateOutput> outputs) {
    Map<String, FlowPosition> reached = new LinkedHashMap<>(positions);
    for (UpdateOutput output : outputs) {
      if (output instanceof UpdateOutput.Read read) {
        reached.merge(
            read.flow(),
            FlowPosition.START.advanced(read.source(), (SourceProgress) read.progress()),
            (before, ignored) -> before.advanced(read.source(), (SourceProgress) read.progress()));
      }
    }
    return reached;
  }

  /** Characters that the positions of other flows take in the ledger. */
  private int reserved() {
    return ledger.flows().stream()
        .filter(flow -> !plan.flows().contains(flow))
        .mapToInt(flow -> ledger.position(flow).map(String::length).orElse(0))
        .sum();
  }

  private List<WriteOutcome> spilled(
      PositionSpill spill, Map<String, FlowPosition> kept, CommitId id) {
    if (!spill.hasRows(kept, this::before)) {
      return List.of();
    }
    return spill.write(ensureCompanion(), kept, this::before, id.text().replace('/', '-'));
  }

  private FlowPosition before(String flow) {
    return positions.getOrDefault(flow, FlowPosition.START);
  }

  private Companion ensureCompanion() {
    if (companion.isEmpty()) {
      companion = Optional.of(Companion.ensure(catalog, plan.target(), table, ledger));
    }
    return companion.get();
  }

  /** Housekeeping after a commit that has landed: whatever goes wrong here, it stays landed. */
  private void finish(Companion changed) {
    try {
      changed.finished(table, ledger);
    } catch (RuntimeException e) {
      LOG.warn("Old tags of the companion of {} stay until the next commit", plan.target(), e);
    }
  }

  @Override
  public byte[] memory() {
    return new SessionMemory(committer.followed(snapshot), companion.flatMap(Companion::followed))
        .toBytes();
  }

  @Override
  public void recall(byte[] memory) {
    SessionMemory recalled = SessionMemory.of(memory);
    committer.follow(table, recalled.target());
    recalled.companion().ifPresent(bytes -> companion.ifPresent(each -> each.follow(bytes)));
  }

  @Override
  public void close() {
    housekeeping.close();
    if (catalog instanceof AutoCloseable closeable) {
      try {
        closeable.close();
      } catch (Exception e) {
        LOG.warn("The catalog does not close", e);
      }
    }
  }
}
