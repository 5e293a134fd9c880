package io.sluice.sequencing;

import java.io.Serializable;
import java.util.List;
import org.apache.flink.table.types.logical.RowType;

/**
 * Rows with expectations: first all columns of the rows, of which the last ones may be hidden, then
 * a BOOLEAN for each expectation, in their order.
 *
 * @param dataset full name of the table or view that has the expectations
 * @param number counts the tables and views with expectations on the way of a flow's rows, from 0
 * @param expectations at least one
 * @param columns the columns of the rows, without the results
 * @param visible how many of them the user sees
 * @param position how the rows tell their place in the source
 * @param sourceColumn index of the column with the source; -1 where there is none
 * @param offsetColumn index of the column with the place in it; -1 where there is none
 * @param sources the flow that reads the rows, and what it reads
 */
public record ExpectedRows(
    String dataset,
    int number,
    List<Expectation> expectations,
    RowType columns,
    int visible,
    EventLayout.Position position,
    int sourceColumn,
    int offsetColumn,
    FlowSources sources)
    implements Serializable {

  public ExpectedRows {
    expectations = List.copyOf(expectations);
  }

  /** Index of the column with the result of an expectation. */
  int resultColumn(int expectation) {
    return columns.getFieldCount() + expectation;
  }

  /** The columns that messages show. */
  RowType shown() {
    return new RowType(false, columns.getFields().subList(0, visible));
  }
}
