package io.sluice.plan;

import io.sluice.catalog.CatalogConnection;
import io.sluice.errors.ErrorCode;
import io.sluice.errors.SluiceException;
import io.sluice.history.StorageType;
import io.sluice.pipeline.InvalidEventRule;
import io.sluice.pipeline.Pipeline;
import io.sluice.sequencing.Collection;
import io.sluice.sequencing.TargetLayout;
import io.sluice.sql.ColumnDefinition;
import io.sluice.table.CommitId;
import io.sluice.table.Companion;
import io.sluice.table.GeneratedColumns;
import io.sluice.table.Quarantine;
import io.sluice.table.RowSplit;
import io.sluice.table.TargetDefinition;
import io.sluice.table.TargetTables;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.TableUtil;
import org.apache.iceberg.UpdateProperties;
import org.apache.iceberg.flink.FlinkSchemaUtil;
import org.apache.iceberg.types.Types.NestedField;

/** Creates a target or brings it up to its definition, and plans what a step reads of it. */
public final class TargetOpener {

  private final CatalogConnection connection;
  private final Pipeline pipeline;
  private final ResolvedTarget target;

  public TargetOpener(CatalogConnection connection, Pipeline pipeline, ResolvedTarget target) {
    this.connection = connection;
    this.pipeline = pipeline;
    this.target = target;
  }

  /** The table, created or with new columns added; a commit of its own (semantics 0.13). */
  public Table table(TargetState state) {
    Schema wanted = schema();
    if (state.table().isEmpty()) {
      return TargetTables.create(
          connection.catalog(),
          state.identifier(),
          new TargetDefinition(
              wanted,
              target.layout().map(TableFacts::identity).orElse(List.of()),
              target.table().partitioning(),
              target.table().comment(),
              properties()));
    }
    Table table = state.table().get();
    if (!target.table().partitioning().isEmpty()) {
      TargetTables.requirePartitioning(table, target.table().partitioning());
    }
    TargetTables.evolve(table, wanted);
    updateProperties(table);
    return table;
  }

  /**
   * Adds what somebody else's table lacks before its rows can be checked: SCD type 1 gets its
   * column with the sequence, in which old rows are NULL and rank lowest (semantics 0.17).
   */
  public Table prepareAdoption(TargetState state) {
    Table table = state.table().orElseThrow();
    NestedField sequence = schema().findField(GeneratedColumns.SEQUENCE);
    if (sequence != null && table.schema().findField(GeneratedColumns.SEQUENCE) == null) {
      table.updateSchema().addColumn(sequence.name(), sequence.type()).commit();
      table.refresh();
    }
    return table;
  }

  /** Makes somebody else's table ours; its rows are checked. */
  public void adopt(Table table) {
    TargetTables.adopt(table, target.layout().map(TableFacts::identity).orElse(List.of()));
  }

  /**
   * Whether a full refresh cannot reuse the table, because keys, SCD type, sequence type,
   * partitioning or a column's type changed. The table is replaced then; its data is read again
   * anyway.
   */
  public boolean mustReplace(TargetState state) {
    return state.refreshed() && state.table().isPresent() && !isReusable(state.table().get());
  }

  /**
   * Drops a table, its companion and its quarantine, if they exist, with their files.
   *
   * @throws SluiceException TABLE_NOT_MANAGED if one of the names is that of a table that is none
   *     of them; nothing is dropped then
   */
  public void drop(TargetState state) {
    Companion.requireName(connection.catalog(), state.identifier());
    Quarantine.open(connection.catalog(), state.identifier());
    TargetTables.open(connection.catalog(), state.identifier())
        .filter(table -> !pipeline.name().equals(table.properties().get(TargetState.PIPELINE)))
        .ifPresent(
            foreign -> {
              throw new SluiceException(
                  ErrorCode.TABLE_NOT_MANAGED,
                  "table " + foreign.name() + " is in the way of the full refresh",
                  "Rename it: the name is needed for a moment");
            });
    connection.catalog().dropTable(Quarantine.identifier(state.identifier()), true);
    connection.catalog().dropTable(Companion.identifier(state.identifier()), true);
    connection.catalog().dropTable(state.identifier(), true);
  }

  private boolean isReusable(Table table) {
    boolean sameRules =
        target
            .layout()
            .map(layout -> TableFacts.drift(target.table(), layout, table))
            .orElseGet(() -> TableFacts.driftToAppend(target.table(), table))
            .isEmpty();
    if (!sameRules) {
      return false;
    }
    List<String> partitioning = target.table().partitioning();
    if (!partitioning.isEmpty() && !TargetTables.isPartitionedBy(table, partitioning)) {
      return false;
    }
    Set<String> wanted = new HashSet<>();
    for (NestedField field : schema().columns()) {
      wanted.add(field.name());
      NestedField existing = table.schema().findField(field.name());
      boolean generated = GeneratedColumns.contains(field.name());
      boolean fits;
      if (existing == null) {
        fits = !generated;
      } else if (generated) {
        fits = TableTypes.same(existing.type(), field.type());
      } else {
        fits = TableTypes.holds(existing.type(), field.type());
      }
      if (!fits) {
        return false;
      }
    }
    return table.schema().columns().stream()
        .map(NestedField::name)
        .noneMatch(name -> GeneratedColumns.contains(name) && !wanted.contains(name));
  }

  private Map<String, String> properties() {
    Map<String, String> properties = new HashMap<>(target.table().properties());
    properties.putAll(TableFacts.properties(pipeline.name(), target));
    return properties;
  }

  private void updateProperties(Table table) {
    Map<String, String> changed = new HashMap<>(properties());
    changed.entrySet().removeIf(e -> e.getValue().equals(table.properties().get(e.getKey())));
    // Iceberg does not list the format version among the properties.
    changed.remove(
        TableProperties.FORMAT_VERSION, Integer.toString(TableUtil.formatVersion(table)));
    if (!changed.isEmpty()) {
      UpdateProperties update = table.updateProperties();
      changed.forEach(update::set);
      update.commit();
    }
  }

  private Schema schema() {
    Schema plain = FlinkSchemaUtil.convert(FlinkSchemaUtil.toResolvedSchema(target.fullColumns()));
    List<NestedField> fields = new ArrayList<>();
    for (NestedField field : plain.columns()) {
      Optional<String> comment =
          target.table().columns().stream()
              .filter(column -> column.name().equalsIgnoreCase(field.name()))
              .findFirst()
              .flatMap(ColumnDefinition::comment);
      fields.add(
          comment.isEmpty() ? field : NestedField.from(field).withDoc(comment.get()).build());
    }
    return new Schema(fields);
  }

  /**
   * Opens a target for one step.
   *
   * @param table what {@link #table} gave
   * @param operationId identifies the step in file names
   * @param commit id under which the step is committed
   */
  public OpenTarget open(TargetState state, Table table, String operationId, CommitId commit) {
    OptionalLong snapshot = state.readableSnapshot();
    Optional<Companion> companion = state.companion();
    List<RowSplit> rows = List.of();
    List<RowSplit> remembered = List.of();
    if (target.layout().isPresent()) {
      TargetLayout layout = target.layout().get();
      boolean feeds = target.flows().stream().anyMatch(f -> f.flow().snapshot().isEmpty());
      if (feeds || companion.isPresent()) {
        companion =
            Optional.of(
                Companion.ensure(connection.catalog(), state.identifier(), table, state.ledger()));
        remembered = OpenTarget.splitsOf(companion.get(), layout);
      }
      rows = OpenTarget.splitsOf(table, snapshot, layout);
    }
    long nowMicros = AppliedTimes.nowMicros();
    AppliedTimes times = state.appliedTimes();
    return new OpenTarget(
        table,
        companion,
        quarantine(state, table),
        snapshot,
        rows,
        remembered,
        operationId,
        times.next(nowMicros),
        state.nextUpdate(),
        state.ledger().lineage(),
        commit,
        collectable(times, commit, nowMicros),
        state.floor(),
        state.stated());
  }

  /**
   * Only targets of changes remember anything. A collection reads whole histories of a bitemporal
   * table, so it is done in rounds.
   */
  private Collection collectable(AppliedTimes times, CommitId commit, long nowMicros) {
    Duration retention =
        target.layout().isPresent() ? pipeline.tombstoneRetention(target.table()) : Duration.ZERO;
    boolean inRounds =
        target.layout().filter(layout -> layout.type() == StorageType.BITEMPORAL).isPresent();
    return times.collectable(
        commit, nowMicros, retention, inRounds ? retention.dividedBy(4) : Duration.ZERO);
  }

  private Optional<Quarantine> quarantine(TargetState state, Table table) {
    return pipeline.invalidEvents() == InvalidEventRule.QUARANTINE
        ? Optional.of(Quarantine.ensure(connection.catalog(), state.identifier(), table))
        : Quarantine.open(connection.catalog(), state.identifier());
  }
}
