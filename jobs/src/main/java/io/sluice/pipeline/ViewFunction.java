package io.sluice.pipeline;

import org.apache.flink.table.api.Table;

/**
 * Makes the rows of a view of its sources, in Java. It is called whenever a flow that reads the
 * view is planned: to check the pipeline, with sources that hold no rows yet, and for every job. So
 * it describes a computation and does nothing else.
 */
@FunctionalInterface
public interface ViewFunction {

  /**
   * The rows.
   *
   * @param inputs the sources of the view, and the environments they belong to
   * @return a table of the inputs' environment
   */
  Table apply(ViewInputs inputs);
}
