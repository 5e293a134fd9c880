package io.sluice.table;

import io.sluice.errors.SluiceException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.RowType;
import org.apache.iceberg.HasTableOperations;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.flink.FlinkSchemaUtil;
import org.apache.iceberg.types.Types;

/**
 * The quarantine {@code <target>__quarantine} of a target: the records that could not be applied
 * (semantics 0.3). It commits before its target. Every row names the lineage, the update and the
 * commit that brought it, so that rows of an update that failed are known by the target's ledger
 * and go with the next commit; what people delete or compact in the table stays as they left it.
 */
public final class Quarantine {

  /** Flow whose record it is. */
  public static final String FLOW = "flow";

  /** What is wrong with it. */
  public static final String REASON = "reason";

  /** Where it stands in its source, as a person would look it up. */
  public static final String SOURCE_POSITION = "source_position";

  /** The record as JSON: an object of its columns, or the text that could not be read. */
  public static final String ROW_JSON = "row_json";

  /** When it was put here. */
  public static final String QUARANTINED_AT = "quarantined_at";

  /** Number of the update that met it. */
  public static final String UPDATE = "update_number";

  /** Lineage of the target's ledger at that time: a full refresh reads everything again. */
  public static final String LINEAGE = "lineage";

  /** The commit that brought it. */
  public static final String COMMIT = "commit_id";

  private static final Schema SCHEMA =
      new Schema(
          Types.NestedField.required(1, FLOW, Types.StringType.get()),
          Types.NestedField.required(2, REASON, Types.StringType.get()),
          Types.NestedField.required(3, SOURCE_POSITION, Types.StringType.get()),
          Types.NestedField.required(4, ROW_JSON, Types.StringType.get()),
          Types.NestedField.required(5, QUARANTINED_AT, Types.TimestampType.withZone()),
          Types.NestedField.required(6, UPDATE, Types.LongType.get()),
          Types.NestedField.required(7, LINEAGE, Types.StringType.get()),
          Types.NestedField.required(8, COMMIT, Types.StringType.get()));

  private static final List<String> ORIGIN_COLUMNS = List.of(UPDATE, LINEAGE, COMMIT);

  private final Table table;
  private final TableCommitter committer = new TableCommitter();

  private Quarantine(Table table) {
    this.table = table;
  }

  /** The quarantine's name. */
  public static TableIdentifier identifier(TableIdentifier target) {
    return SideTable.QUARANTINE.of(target);
  }

  /**
   * Opens the quarantine of a target; empty if there is none.
   *
   * @throws SluiceException TABLE_NOT_MANAGED if a foreign table has its name
   */
  public static Optional<Quarantine> open(Catalog catalog, TableIdentifier target) {
    return SideTable.QUARANTINE.open(catalog, target).map(Quarantine::new);
  }

  /** Opens the quarantine of a target, or creates it. */
  public static Quarantine ensure(Catalog catalog, TableIdentifier target, Table targetTable) {
    return open(catalog, target)
        .orElseGet(
            () ->
                new Quarantine(
                    SideTable.QUARANTINE.create(
                        catalog, target, targetTable, SCHEMA, PartitionSpec.unpartitioned())));
  }

  /** The columns of its rows, in their order. */
  public static RowType columns() {
    return FlinkSchemaUtil.convert(SCHEMA);
  }

  /** The table; commit to it with {@link #commit} only. */
  public Table table() {
    return table;
  }

  /**
   * Commits the rows of a step, before its target commits. In the same commit go the rows that
   * updates which failed have left.
   *
   * @param standing the ledger that the target has now, before its own commit
   * @return the quarantine's snapshot; empty if there was nothing to commit
   */
  public OptionalLong commit(List<WriteOutcome> outcomes, Ledger standing, CommitId id) {
    table.refresh();
    TableMetadata now = ((HasTableOperations) table).operations().current();
    OptionalLong landed = CommitHistory.find(now, id);
    if (landed.isPresent()) {
      return landed;
    }
    long last = standing.extraNumber("update").orElse(0L);
    String commit = standing.commit().map(CommitId::text).orElse("");
    Expression orphans =
        Expressions.or(
            Expressions.notEqual(LINEAGE, standing.lineage()),
            Expressions.greaterThanOrEqual(UPDATE, last));
    return commit(
        outcomes,
        orphans,
        row ->
            !standing.lineage().equals(text(row, 1))
                || row.getLong(0) > last
                || row.getLong(0) == last && !commit.equals(text(row, 2)),
        id);
  }

  /**
   * Removes what the full refresh that has just been committed does not know.
   *
   * @param standing the target's ledger after its commit
   */
  public void finishRefresh(Ledger standing, CommitId id) {
    table.refresh();
    commit(
        List.of(),
        Expressions.notEqual(LINEAGE, standing.lineage()),
        row -> !standing.lineage().equals(text(row, 1)),
        new CommitId(id.text() + "/refreshed"));
  }

  private OptionalLong commit(
      List<WriteOutcome> outcomes, Expression maybe, RowPredicate goes, CommitId id) {
    List<WriteOutcome> all = new ArrayList<>(outcomes);
    all.addAll(deletionOf(maybe, goes));
    if (all.isEmpty()) {
      return OptionalLong.empty();
    }
    CommitRequest request =
        new CommitRequest(all, Ledger.start(table.name()), head(), false, false, id);
    return OptionalLong.of(committer.commit(table, request).snapshotId());
  }

  private List<WriteOutcome> deletionOf(Expression maybe, RowPredicate goes) {
    if (table.currentSnapshot() == null) {
      return List.of();
    }
    Schema read = table.schema().select(ORIGIN_COLUMNS);
    LocatedRowReader reader = new LocatedRowReader(table, read);
    Selection selection = new Selection(maybe, ORIGIN_COLUMNS, goes, Selection.Passes.ONE);
    try (RowChangeWriter writer = new RowChangeWriter(table, 0, 0, "orphans")) {
      for (RowSplit split :
          LocatedRows.plan(table, table.currentSnapshot().snapshotId(), List.of(UPDATE, LINEAGE))) {
        reader.read(
            split,
            selection,
            (row, file, position) -> writer.delete(new RowLocation(file, position)));
      }
      return writer.complete();
    }
  }

  private OptionalLong head() {
    return table.currentSnapshot() == null
        ? OptionalLong.empty()
        : OptionalLong.of(table.currentSnapshot().snapshotId());
  }

  private static String text(RowData row, int position) {
    return row.getString(position).toString();
  }
}
