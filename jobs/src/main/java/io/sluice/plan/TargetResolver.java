package io.sluice.plan;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.Problem;
import io.sluice.errors.SluiceException;
import io.sluice.files.FileSchema;
import io.sluice.history.StorageType;
import io.sluice.pipeline.CdcDefinition;
import io.sluice.pipeline.TargetTable;
import io.sluice.sequencing.OrderedColumn;
import io.sluice.sequencing.TargetLayout;
import io.sluice.sql.ColumnDefinition;
import io.sluice.sql.Identifier;
import io.sluice.table.GeneratedColumns;
import io.sluice.table.TargetTables;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.iceberg.Table;
import org.apache.iceberg.flink.FlinkSchemaUtil;

/** Makes one target of its declaration, its resolved flows and the existing table. */
final class TargetResolver {

  private final TargetTable table;
  private final TargetState state;
  private final List<ResolvedFlow> flows;
  private final boolean unavailableValue;
  private final List<Problem> problems = new ArrayList<>();

  private TargetResolver(
      TargetTable table, TargetState state, List<ResolvedFlow> flows, boolean unavailableValue) {
    this.table = table;
    this.state = state;
    this.flows = flows;
    this.unavailableValue = unavailableValue;
  }

  /**
   * Resolves a target.
   *
   * @param unavailableValue whether sources write something for values that they do not send
   * @throws SluiceException with every problem found
   */
  static ResolvedTarget resolve(
      TargetTable table, TargetState state, List<ResolvedFlow> flows, boolean unavailableValue) {
    TargetResolver resolver = new TargetResolver(table, state, flows, unavailableValue);
    ResolvedTarget target = resolver.resolve();
    if (!resolver.problems.isEmpty()) {
      throw new SluiceException(resolver.problems);
    }
    return target;
  }

  private ResolvedTarget resolve() {
    state
        .table()
        .flatMap(existing -> TableFacts.loweredVersion(table, existing))
        .ifPresent(problems::add);
    RowType columns = union();
    checkPartitioning(columns);
    Optional<CdcDefinition> cdc = flows.stream().flatMap(f -> f.flow().cdc().stream()).findFirst();
    if (cdc.isEmpty()) {
      if (!state.refreshed()) {
        state.table().ifPresent(e -> problems.addAll(TableFacts.driftToAppend(table, e)));
      }
      return new ResolvedTarget(table, state, flows, columns, columns, Optional.empty());
    }
    SequenceAgreement agreement = new SequenceAgreement(table, state, flows, problems);
    Optional<LogicalType> sequence = agreement.sequence(cdc.get().type());
    Optional<LogicalType> systemSequence = agreement.systemSequence(cdc.get().type());
    if (sequence.isEmpty() || !problems.isEmpty()) {
      return new ResolvedTarget(table, state, flows, columns, columns, Optional.empty());
    }
    TargetLayout layout = layout(cdc.get(), columns, sequence.get(), systemSequence, isPartial());
    checkDeclaredBounds(layout);
    if (!state.refreshed()) {
      state
          .table()
          .ifPresent(
              existing ->
                  problems.addAll(
                      state.adopting()
                          ? Adoption.problems(table, layout, existing)
                          : TableFacts.drift(table, layout, existing)));
    }
    List<RowType.RowField> full = new ArrayList<>();
    for (int i = 0; i < columns.getFieldCount(); i++) {
      RowType.RowField field = columns.getFields().get(i);
      boolean key = layout.keys().contains(i);
      full.add(new RowType.RowField(field.getName(), field.getType().copy(!key)));
    }
    for (String name : layout.generatedColumns()) {
      boolean identifying = layout.identifyingColumns().contains(name);
      full.add(new RowType.RowField(name, layout.sequenceOf(name).type().copy(!identifying)));
    }
    return new ResolvedTarget(
        table, state, flows, columns, new RowType(false, full), Optional.of(layout));
  }

  private RowType union() {
    ColumnUnion union = new ColumnUnion(table.name().toString(), problems);
    if (!state.refreshed()) {
      state.table().ifPresent(existing -> union.existing(userColumns(existing)));
    }
    for (ColumnDefinition column : table.columns()) {
      if (GeneratedColumns.contains(column.name().toUpperCase(Locale.ROOT))) {
        continue;
      }
      try {
        union.declared(column.name(), declaredType(column), column.at());
      } catch (SluiceException e) {
        e.problems()
            .forEach(
                each ->
                    problems.add(
                        Problem.at(column.at(), each.code(), each.message(), each.remedy())));
      }
    }
    for (ResolvedFlow flow : flows) {
      union.flow(flow.flow().name(), flow.columns(), flow.flow().at());
    }
    return union.type();
  }

  /** An existing table has to be partitioned as declared, a new one has to allow it. */
  private void checkPartitioning(RowType columns) {
    if (table.partitioning().isEmpty()) {
      return;
    }
    try {
      if (state.table().isPresent() && !state.refreshed()) {
        TargetTables.requirePartitioning(state.table().get(), table.partitioning());
      } else {
        TargetTables.requirePartitionable(
            FlinkSchemaUtil.convert(FlinkSchemaUtil.toResolvedSchema(columns)),
            table.partitioning());
      }
    } catch (SluiceException e) {
      e.problems().forEach(problem -> problems.add(problem.movedTo(table.at())));
    }
  }

  private static LogicalType declaredType(ColumnDefinition column) {
    String text = Sql.quote(column.name()) + " " + column.typeText();
    LogicalType type = FileSchema.declared(text).data().getTypeAt(0);
    return TableTypes.stored(type).orElse(type);
  }

  private static RowType userColumns(Table existing) {
    RowType all = FlinkSchemaUtil.convert(existing.schema());
    return new RowType(
        false,
        all.getFields().stream()
            .filter(field -> !GeneratedColumns.contains(field.getName()))
            .toList());
  }

  /** Once a flow of a table had partial updates, its companion says what events author. */
  private boolean isPartial() {
    boolean was =
        !state.refreshed()
            && state
                .table()
                .map(e -> Boolean.parseBoolean(e.properties().get(TargetTables.PARTIAL_UPDATES)))
                .orElse(false);
    return was
        || unavailableValue && flows.stream().noneMatch(flow -> flow.flow().snapshot().isPresent())
        || flows.stream().anyMatch(flow -> flow.flow().cdc().orElseThrow().isPartial());
  }

  private TargetLayout layout(
      CdcDefinition cdc,
      RowType columns,
      LogicalType sequence,
      Optional<LogicalType> systemSequence,
      boolean partial) {
    List<Integer> keys = new ArrayList<>();
    for (Identifier key : cdc.keys()) {
      for (int i = 0; i < columns.getFieldCount(); i++) {
        if (columns.getFieldNames().get(i).equalsIgnoreCase(key.text())) {
          keys.add(i);
          requireKeyType(key, columns.getTypeAt(i));
        }
      }
    }
    Set<String> tracked = tracked(columns);
    List<Integer> positions = new ArrayList<>();
    for (int i = 0; i < columns.getFieldCount(); i++) {
      if (tracked.contains(columns.getFieldNames().get(i))) {
        positions.add(i);
      }
    }
    return new TargetLayout(
        table.name().toString(),
        cdc.type(),
        columns,
        keys,
        positions,
        positions.size() + keys.size() == columns.getFieldCount(),
        OrderedColumn.ofSequence("sequence", sequence),
        systemSequence.map(type -> OrderedColumn.ofSequence("system sequence", type)).orElse(null),
        partial);
  }

  private void requireKeyType(Identifier key, LogicalType type) {
    if (!OrderedColumn.isOrderable(type)) {
      problems.add(
          Problem.at(
              key.at(),
              ErrorCode.INCOMPATIBLE_SCHEMA,
              "key column '" + key + "' has type " + Sql.describe(type) + ", which cannot be a key",
              "Use scalar columns or structs of scalars as keys"));
    }
  }

  /** All flows of a target track the same columns; one that is idle is not asked. */
  private Set<String> tracked(RowType columns) {
    Set<String> agreed = null;
    ResolvedFlow first = null;
    for (ResolvedFlow flow : flows) {
      RowType source = flow.idle() ? columns : flow.columns();
      Set<String> tracked = new CdcColumns(flow.flow(), problems).tracked(source, columns);
      if (agreed == null) {
        agreed = tracked;
        first = flow;
      } else if (!agreed.equals(tracked)) {
        problems.add(
            Problem.at(
                flow.flow().at(),
                ErrorCode.AUTOCDC_FLOWS_DISAGREE,
                "the flows of "
                    + table.name()
                    + " disagree: '"
                    + first.flow().name()
                    + "' tracks "
                    + agreed
                    + ", '"
                    + flow.flow().name()
                    + "' tracks "
                    + tracked,
                "Write the same TRACK HISTORY ON in all flows of the table"));
      }
    }
    return agreed == null ? Set.of() : agreed;
  }

  /** V22: declared bounds have the type of the sequence of their axis. */
  private void checkDeclaredBounds(TargetLayout layout) {
    if (table.columns().isEmpty() || layout.type() == StorageType.SCD1) {
      return;
    }
    boolean bitemporal = layout.type() == StorageType.BITEMPORAL;
    for (String bound : layout.generatedColumns()) {
      LogicalType wanted = layout.sequenceOf(bound).type();
      Optional<ColumnDefinition> declared =
          table.columns().stream().filter(c -> c.name().equalsIgnoreCase(bound)).findFirst();
      boolean right =
          declared.isPresent() && SequenceAgreement.sameShape(declaredType(declared.get()), wanted);
      if (!right) {
        problems.add(
            Problem.at(
                declared.map(ColumnDefinition::at).orElse(table.at()),
                ErrorCode.INCOMPATIBLE_SCHEMA,
                "table "
                    + table.name()
                    + (bitemporal ? " is bitemporal" : " is SCD type 2")
                    + " and declares its columns, but "
                    + bound
                    + (declared.isEmpty() ? " is missing" : " has another type than the sequence"),
                "Declare "
                    + bound
                    + " "
                    + Sql.describe(wanted)
                    + ", or leave the column list out"));
      }
    }
  }
}
