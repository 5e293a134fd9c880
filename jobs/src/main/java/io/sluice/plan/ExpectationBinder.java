package io.sluice.plan;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.Problem;
import io.sluice.errors.SluiceException;
import io.sluice.sql.Constraint;
import java.util.List;

/** What becomes of rows that have expectations when the query over them is planned. */
interface ExpectationBinder {

  /**
   * Refuses them: for snapshots, of which nothing may be left out. What the text of a snapshot flow
   * reads is refused before; what a function of a program names is known only here.
   */
  ExpectationBinder REFUSED =
      (dataset, expectations, rows) -> {
        if (!expectations.isEmpty()) {
          throw new SluiceException(
              Problem.at(
                  expectations.get(0).at(),
                  ErrorCode.EXPECTATIONS_NOT_SUPPORTED,
                  "a snapshot flow reads " + dataset + ", which has expectations",
                  "Read a view without expectations; filter the snapshot in its query"));
        }
        return rows;
      };

  /**
   * The rows that go on.
   *
   * @param dataset full name of the table or view that has the expectations
   * @param expectations its expectations; without any the rows are what they were
   * @param rows the planned rows
   * @throws SluiceException INVALID_EXPECTATION, EXPECTATIONS_NOT_SUPPORTED, or INVALID_QUERY at a
   *     condition
   */
  PlannedQuery bind(String dataset, List<Constraint> expectations, PlannedQuery rows);
}
