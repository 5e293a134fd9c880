package io.sluice.plan;

import java.util.List;
import java.util.Optional;
import org.apache.flink.table.api.Table;
import org.apache.flink.table.types.logical.RowType;

/**
 * A query that Flink has planned.
 *
 * @param table the planned query; with the hidden position columns last if it is positioned
 * @param columns the columns that are visible
 * @param positionedBy the only source, if every row still carries its position there
 * @param rowByRow whether each row is made of one row of that source alone
 */
record PlannedQuery(
    Table table, List<String> columns, Optional<ResolvedSource> positionedBy, boolean rowByRow) {

  PlannedQuery {
    columns = List.copyOf(columns);
  }

  /** A query whose rows are made of many. */
  PlannedQuery(Table table, List<String> columns) {
    this(table, columns, Optional.empty(), false);
  }

  boolean positioned() {
    return positionedBy.isPresent();
  }

  /** The row type of the visible columns. */
  RowType visibleType() {
    RowType all = FlinkSession.rowType(table);
    return new RowType(false, all.getFields().subList(0, columns.size()));
  }
}
