package io.sluice.plan;

import io.sluice.sql.Constraint;
import java.util.List;

/** What becomes of rows that have expectations when the query over them is planned. */
interface ExpectationBinder {

  /** For queries whose views have no expectations. */
  ExpectationBinder NONE = (dataset, expectations, rows) -> rows;

  /**
   * The rows that go on.
   *
   * @param dataset full name of the table or view that has the expectations
   * @param expectations its expectations; without any the rows are what they were
   * @param rows the planned rows
   * @throws io.sluice.errors.SluiceException INVALID_EXPECTATION, or INVALID_QUERY at a condition
   */
  PlannedQuery bind(String dataset, List<Constraint> expectations, PlannedQuery rows);
}
