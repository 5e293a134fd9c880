package io.sluice.table;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.SluiceException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.StringData;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotRef;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.TableUtil;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.io.CloseableIterable;

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

  private static final String OF = "sluice.companion-of";
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
    return TableIdentifier.of(target.namespace(), target.name() + "__log");
  }

  /**
   * Opens the companion of a target; empty if there is none yet.
   *
   * @throws SluiceException LEDGER_CORRUPT if the ledger names a snapshot that does not exist;
   *     TABLE_NOT_MANAGED if a foreign table has the companion's name
   */
  public static Optional<Companion> open(
      Catalog catalog, TableIdentifier target, Ledger targetLedger) {
    Optional<Table> table = TargetTables.open(catalog, identifier(target));
    if (table.isEmpty()) {
      if (targetLedger.companion().isPresent()) {
        throw lost(identifier(target).toString(), targetLedger);
      }
      return Optional.empty();
    }
    requireCompanion(table.get(), target);
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
    TargetTables.open(catalog, identifier(target))
        .ifPresent(table -> requireCompanion(table, target));
  }

  private static void requireCompanion(Table table, TableIdentifier target) {
    if (!table.properties().containsKey(OF)) {
      throw new SluiceException(
          ErrorCode.TABLE_NOT_MANAGED,
          "table " + table.name() + " is not the companion of " + target,
          "Rename it: the name belongs to the companion of " + target);
    }
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
    TargetTables.requireNoView(catalog, identifier(target));
    Table created =
        catalog.createTable(
            identifier(target),
            wanted,
            PartitionSpec.builderFor(wanted).identity(KIND).build(),
            Map.of(
                OF,
                target.toString(),
                TableProperties.FORMAT_VERSION,
                Integer.toString(TableUtil.formatVersion(targetTable)),
                TableProperties.METADATA_DELETE_AFTER_COMMIT_ENABLED,
                "true",
                TableProperties.METADATA_PREVIOUS_VERSIONS_MAX,
                "20",
                TableProperties.PARQUET_COMPRESSION,
                "zstd"));
    return new Companion(created, targetLedger);
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
    if (snapshot().isEmpty()) {
      return 0;
    }
    long live = 0;
    try (CloseableIterable<FileScanTask> tasks =
        table
            .newScan()
            .useSnapshot(snapshot().getAsLong())
            .planWith(ManifestThreads.of(table, table.snapshot(snapshot().getAsLong())))
            .filter(Expressions.equal(KIND, DELETE))
            .planFiles()) {
      for (FileScanTask task : tasks) {
        live += task.file().recordCount();
        for (DeleteFile deletes : task.deletes()) {
          live -= deletes.recordCount();
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return live;
  }

  /** The JSON descriptions of the files that a flow has read. */
  public List<String> readFileRows(String flow) {
    if (snapshot().isEmpty()) {
      return List.of();
    }
    Schema columns = table.schema().select(KIND, FLOW, SOURCE);
    int source = columns.columns().indexOf(columns.findField(SOURCE));
    LocatedRowReader reader = new LocatedRowReader(table, columns);
    Selection files =
        new Selection(
            Expressions.and(Expressions.equal(KIND, FILE), Expressions.equal(FLOW, flow)),
            List.of(KIND, FLOW),
            row ->
                FILE.equals(String.valueOf(row.getString(0)))
                    && flow.equals(String.valueOf(row.getString(1))),
            Selection.Passes.ONE);
    List<String> rows = new ArrayList<>();
    for (RowSplit split : LocatedRows.plan(table, snapshot().getAsLong(), List.of(KIND, FLOW))) {
      reader.read(
          split, files, (row, file, position) -> rows.add(row.getString(source).toString()));
    }
    return rows;
  }

  /** A row that says a flow has read a file. */
  public GenericRowData fileRow(String flow, String json, long update) {
    Schema schema = table.schema();
    GenericRowData row = new GenericRowData(schema.columns().size());
    row.setField(index(schema, KIND), StringData.fromString(FILE));
    row.setField(index(schema, FLOW), StringData.fromString(flow));
    row.setField(index(schema, SOURCE), StringData.fromString(json));
    row.setField(index(schema, UPDATE), update);
    return row;
  }

  private static int index(Schema schema, String column) {
    return schema.columns().indexOf(schema.findField(column));
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
