package io.sluice.plan;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.Problem;
import io.sluice.errors.SourceLocation;
import io.sluice.history.StorageType;
import io.sluice.pipeline.CdcDefinition;
import io.sluice.pipeline.TargetTable;
import io.sluice.sequencing.TargetLayout;
import io.sluice.sql.SqlExpression;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.iceberg.flink.FlinkSchemaUtil;

/**
 * The types of the sequences of a target: those that all its flows have, and that an existing table
 * keeps (semantics section 19, V15 and V16).
 */
final class SequenceAgreement {

  private final TargetTable table;
  private final TargetState state;
  private final List<ResolvedFlow> flows;
  private final List<Problem> problems;

  /** One axis: what the flows have there, where they say so, and the column that tells of it. */
  private record Axis(
      String verb,
      String noun,
      Function<ResolvedFlow, LogicalType> type,
      Function<CdcDefinition, Optional<SqlExpression>> expression,
      String column) {}

  /**
   * @param problems where problems are added
   */
  SequenceAgreement(
      TargetTable table, TargetState state, List<ResolvedFlow> flows, List<Problem> problems) {
    this.table = table;
    this.state = state;
    this.flows = flows;
    this.problems = problems;
  }

  /** The sequence type that all flows have, or that of the table if no flow has anything to do. */
  Optional<LogicalType> sequence(StorageType storage) {
    return agreed(
        new Axis(
            "sequenced",
            "sequence",
            ResolvedFlow::sequence,
            CdcDefinition::sequenceBy,
            storage == StorageType.SCD1 ? TargetLayout.SEQUENCE : TargetLayout.START_AT));
  }

  /** The same of the system sequence; empty without a system axis. */
  Optional<LogicalType> systemSequence(StorageType storage) {
    return storage != StorageType.BITEMPORAL
        ? Optional.empty()
        : agreed(
            new Axis(
                "system sequenced",
                "system sequence",
                ResolvedFlow::systemSequence,
                CdcDefinition::systemSequenceBy,
                TargetLayout.SYSTEM_START_AT));
  }

  private Optional<LogicalType> agreed(Axis axis) {
    Optional<LogicalType> common = Optional.empty();
    ResolvedFlow first = null;
    for (ResolvedFlow flow : flows) {
      LogicalType type = axis.type().apply(flow);
      if (type == null) {
        continue;
      }
      if (first == null) {
        first = flow;
        common = Optional.of(type);
      } else if (!sameShape(common.get(), type)) {
        disagree(axis, first, common.get(), flow, type);
      }
    }
    Optional<LogicalType> stored = stored(axis.column());
    if (stored.isPresent() && common.isPresent() && !sameShape(stored.get(), common.get())) {
      drift(axis, first, stored.get(), common.get());
    }
    return stored.isPresent() ? stored : common;
  }

  private Optional<LogicalType> stored(String column) {
    if (state.table().isEmpty() || state.refreshed()) {
      return Optional.empty();
    }
    RowType existing = FlinkSchemaUtil.convert(state.table().get().schema());
    int at = existing.getFieldNames().indexOf(column);
    return at < 0 ? Optional.empty() : Optional.of(existing.getTypeAt(at).copy(true));
  }

  private void disagree(
      Axis axis, ResolvedFlow first, LogicalType common, ResolvedFlow flow, LogicalType type) {
    boolean snapshot = first.snapshot().isPresent() || flow.snapshot().isPresent();
    problems.add(
        Problem.at(
            at(axis, flow),
            snapshot ? ErrorCode.INTEROP_SEQUENCE_TYPE_MISMATCH : ErrorCode.AUTOCDC_FLOWS_DISAGREE,
            "the flows of "
                + table.name()
                + " disagree: '"
                + first.flow().name()
                + "' is "
                + axis.verb()
                + " by "
                + Sql.describe(common)
                + ", '"
                + flow.flow().name()
                + "' by "
                + Sql.describe(type),
            "CAST one of the sequences so that the types are the same"));
  }

  private static SourceLocation at(Axis axis, ResolvedFlow flow) {
    return flow.flow()
        .cdc()
        .flatMap(axis.expression())
        .map(SqlExpression::at)
        .orElse(flow.flow().at());
  }

  private void drift(Axis axis, ResolvedFlow flow, LogicalType stored, LogicalType common) {
    problems.add(
        Problem.at(
            at(axis, flow),
            ErrorCode.AUTOCDC_SEQUENCING_TYPE_DRIFT,
            "table "
                + table.name()
                + " is "
                + axis.verb()
                + " by "
                + Sql.describe(stored)
                + ", the flow by "
                + Sql.describe(common),
            "CAST the "
                + axis.noun()
                + " to its old type, or run with --full-refresh "
                + table.name().last()));
  }

  /** Equal types; fields of structs may have other names. */
  static boolean sameShape(LogicalType left, LogicalType right) {
    if (left instanceof RowType one && right instanceof RowType other) {
      return one.getFieldCount() == other.getFieldCount()
          && IntStream.range(0, one.getFieldCount())
              .allMatch(i -> sameShape(one.getTypeAt(i), other.getTypeAt(i)));
    }
    return left.copy(true).equals(right.copy(true));
  }
}
