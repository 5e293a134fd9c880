package io.sluice.table;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.SluiceException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.flink.table.data.GenericRowData;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotRef;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.TableIdentifier;

/**
 * The companion {@code <target>__log} of a target: the events that the target's rows do not give
 * back, and the positions that are too many for the ledger. It commits before its target and is
 * only ever read as of the snapshot that the target's ledger names; whatever is newer belongs to an
 * update that failed and is rolled back before the next commit.
 */
public final class Companion {

  /** What a row is: {@value #UPSERT}, {@value #DELETE} or {@value #FILE}. */
  public static final String KIND = "__KIND";

  /** Sequence of an event, in the type of the target's sequence. */
  public static final String SEQUENCE = GeneratedColumns.SEQUENCE;

  /** System sequence of an event of a bitemporal target, in the type of its system sequence. */
  public static final String SYSTEM_SEQUENCE = "__SYSTEM_SEQUENCE";

  /** Flow that brought the event or read the file. */
  public static final String FLOW = "__FLOW";

  /** Where an event came from, or the JSON description of a file that was read. */
  public static final String SOURCE = "__SOURCE";

  /** Offset in the source. */
  public static final String OFFSET = "__OFFSET";

  /** When the event was applied. */
  public static final String APPLIED_AT = "__APPLIED_AT";

  /** Number of the update that applied it. */
  public static final String UPDATE = "__UPDATE";

  /** Which columns an event writes, for targets with partial updates; NULL for all. */
  public static final String AUTHORED = "__AUTHORED";

  public static final String UPSERT = "UPSERT";
  public static final String DELETE = "DELETE";
  public static final String FILE = "FILE";

  private static final Set<String> CONTROL_COLUMNS =
      Set.of(KIND, SEQUENCE, SYSTEM_SEQUENCE, FLOW, SOURCE, OFFSET, APPLIED_AT, UPDATE);

  private static final String TAG_PREFIX = "sluice-";

  private final Table table;
  private final TableCommitter committer;
  private Ledger ledger;
  private OptionalLong read;

  private Companion(Table table, Ledger ledger) {
    this.table = table;
    this.ledger = ledger;
    this.read = rewritten(ledger.companion());
    this.committer = new TableCommitter();
  }

  /** The companion's name. */
  public static TableIdentifier identifier(TableIdentifier target) {
    return SideTable.COMPANION.of(target);
  }

  /**
   * Opens the companion of a target; empty if there is none yet.
   *
   * @throws SluiceException LEDGER_CORRUPT if the ledger names a snapshot that does not exist;
   *     TABLE_NOT_MANAGED if a foreign table has the companion's name
   */
  public static Optional<Companion> open(
      Catalog catalog, TableIdentifier target, Ledger targetLedger) {
    Optional<Table> table = SideTable.COMPANION.open(catalog, target);
    if (table.isEmpty()) {
      if (targetLedger.companion().isPresent()) {
        throw lost(identifier(target).toString(), targetLedger);
      }
      return Optional.empty();
    }
    Companion companion = new Companion(table.get(), targetLedger);
    companion.requireNamedSnapshot();
    return Optional.of(companion);
  }

  /**
   * Checks that the name of the companion is free or its own.
   *
   * @throws SluiceException TABLE_NOT_MANAGED if a foreign table has it
   */
  public static void requireName(Catalog catalog, TableIdentifier target) {
    SideTable.COMPANION.open(catalog, target);
  }

  /** Opens the companion of a target, or creates it; its columns follow those of the target. */
  public static Companion ensure(
      Catalog catalog, TableIdentifier target, Table targetTable, Ledger targetLedger) {
    Schema wanted =
        CompanionSchema.of(
            targetTable.schema(),
            Boolean.parseBoolean(targetTable.properties().get(TargetTables.PARTIAL_UPDATES)));
    Optional<Companion> present = open(catalog, target, targetLedger);
    if (present.isPresent()) {
      present.get().evolve(wanted);
      return present.get();
    }
    return new Companion(
        SideTable.COMPANION.create(
            catalog,
            target,
            targetTable,
            wanted,
            PartitionSpec.builderFor(wanted).identity(KIND).build()),
        targetLedger);
  }

  /** The table; write it with {@link RowChangeWriter} and commit with {@link #commit} only. */
  public Table table() {
    return table;
  }

  /**
   * The snapshot to read: the one that the target's ledger names, or what a rewrite of the files
   * made of it, which has the same rows.
   */
  public OptionalLong snapshot() {
    return read;
  }

  private OptionalLong rewritten(OptionalLong named) {
    return named.isPresent() && FileRewrite.onlySince(table, named.getAsLong())
        ? OptionalLong.of(head())
        : named;
  }

  /**
   * Commits on top of the snapshot that the target's ledger names, with a tag that keeps the new
   * snapshot from expiring. The target's next ledger has to name the result.
   *
   * @return the new snapshot
   */
  public long commit(List<WriteOutcome> outcomes, CommitId id) {
    table.refresh();
    Snapshot current = table.currentSnapshot();
    if (current != null && CommitHistory.carries(current, id)) {
      return current.snapshotId();
    }
    OptionalLong named = ledger.companion();
    if (named.isPresent() && !FileRewrite.onlySince(table, named.getAsLong())) {
      table.manageSnapshots().setCurrentSnapshot(named.getAsLong()).commit();
      table.refresh();
    }
    // A table cannot be rolled back to no snapshot at all: there the orphans' rows go with us.
    boolean orphansOnly = named.isEmpty() && current != null;
    Ledger own = Ledger.start(ledger.pipeline()).toBuilder().lineage(ledger.lineage()).build();
    CommitRequest request =
        new CommitRequest(
            outcomes,
            own,
            named.isPresent() || current == null ? named : OptionalLong.of(head()),
            orphansOnly,
            true,
            id);
    return committer
        .commit(
            table,
            request,
            (transaction, snapshotId) ->
                transaction
                    .manageSnapshots()
                    .createTag(TAG_PREFIX + snapshotId, snapshotId)
                    .commit())
        .snapshotId();
  }

  /**
   * To be called after the target's commit: from now on its ledger's snapshot is read, and tags
   * that no snapshot of the target names any more are removed.
   */
  public void finished(Table targetTable, Ledger targetLedger) {
    ledger = targetLedger;
    table.refresh();
    requireNamedSnapshot();
    read = rewritten(ledger.companion());
    Set<String> needed = new HashSet<>();
    targetLedger.companion().ifPresent(id -> needed.add(TAG_PREFIX + id));
    for (Snapshot snapshot : targetTable.snapshots()) {
      String named = snapshot.summary().get(Ledger.COMPANION);
      if (named != null) {
        needed.add(TAG_PREFIX + named);
      }
    }
    List<String> old = new ArrayList<>();
    for (Map.Entry<String, SnapshotRef> ref : table.refs().entrySet()) {
      if (ref.getValue().isTag()
          && ref.getKey().startsWith(TAG_PREFIX)
          && !needed.contains(ref.getKey())
          && !isNewer(ref.getValue().snapshotId())) {
        old.add(ref.getKey());
      }
    }
    if (!old.isEmpty()) {
      var update = table.manageSnapshots();
      old.forEach(update::removeTag);
      update.commit();
    }
  }

  /** Newer than the ledger: another update may be about to name it. */
  private boolean isNewer(long snapshotId) {
    Snapshot tagged = table.snapshot(snapshotId);
    return ledger.companion().isPresent()
        && tagged != null
        && tagged.sequenceNumber()
            > table.snapshot(ledger.companion().getAsLong()).sequenceNumber();
  }

  /**
   * Which rewrites its commits have followed; empty while the target's ledger names no snapshot.
   */
  public Optional<byte[]> followed() {
    return ledger.companion().isPresent()
        ? Optional.of(committer.followed(ledger.companion().getAsLong()))
        : Optional.empty();
  }

  /** Goes on with what {@link #followed} gave. */
  public void follow(byte[] followed) {
    committer.follow(table, followed);
  }

  /** How many deletes it remembers, by the counts that the table's files have in its metadata. */
  public long liveTombstones() {
    return read.isPresent() ? CompanionRows.deletes(table, read.getAsLong()) : 0;
  }

  /** The JSON descriptions of the files that a flow has read. */
  public List<String> readFileRows(String flow) {
    return read.isPresent() ? CompanionRows.files(table, read.getAsLong(), flow) : List.of();
  }

  /** A row that says a flow has read a file. */
  public GenericRowData fileRow(String flow, String json, long update) {
    return CompanionRows.file(table.schema(), flow, json, update);
  }

  private long head() {
    return table.currentSnapshot().snapshotId();
  }

  private void evolve(Schema wanted) {
    SchemaEvolution.apply(table, wanted, Set.of(KIND), CONTROL_COLUMNS::contains);
  }

  private void requireNamedSnapshot() {
    if (ledger.companion().isPresent() && table.snapshot(ledger.companion().getAsLong()) == null) {
      throw lost(table.name(), ledger);
    }
  }

  private static SluiceException lost(String companion, Ledger ledger) {
    return new SluiceException(
        ErrorCode.LEDGER_CORRUPT,
        "the ledger names snapshot "
            + ledger.companion().getAsLong()
            + " of the companion "
            + companion
            + ", which does not exist any more",
        "Restore the companion, or run the target with --full-refresh");
  }
}
