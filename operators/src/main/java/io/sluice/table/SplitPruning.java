package io.sluice.table;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.expressions.Binder;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.expressions.InclusiveMetricsEvaluator;
import org.apache.iceberg.expressions.ResidualEvaluator;
import org.apache.iceberg.types.TypeUtil;

/** Rules out splits and row groups for one filter, by partition values and column bounds. */
public final class SplitPruning {

  private final Table table;
  private final Expression filter;
  private final InclusiveMetricsEvaluator bounds;
  private final Map<Integer, ResidualEvaluator> residuals = new HashMap<>();

  /**
   * @param table the table, with all its partition specs
   * @param filter true for every wanted row
   */
  public SplitPruning(Table table, Expression filter) {
    this.table = table;
    this.filter = filter;
    this.bounds = new InclusiveMetricsEvaluator(table.schema(), filter);
  }

  Expression filter() {
    return filter;
  }

  /** False if no row of the file can match. */
  public boolean mayMatch(RowSplit split) {
    return residual(split).op() != Expression.Operation.FALSE && bounds.eval(split.file());
  }

  /** What row groups may be tested with when only some columns are read. */
  Expression rowGroupFilter(RowSplit split, Schema readColumns) {
    Expression residual = residual(split);
    Set<Integer> needed =
        Binder.boundReferences(table.schema().asStruct(), List.of(residual), true);
    return TypeUtil.getProjectedIds(readColumns).containsAll(needed)
        ? residual
        : Expressions.alwaysTrue();
  }

  private Expression residual(RowSplit split) {
    return residuals
        .computeIfAbsent(
            split.file().specId(), id -> ResidualEvaluator.of(table.specs().get(id), filter, true))
        .residualFor(split.file().partition());
  }
}
