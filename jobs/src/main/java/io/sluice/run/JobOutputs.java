package io.sluice.run;

import io.sluice.sequencing.UpdateOutput;
import java.util.List;
import org.apache.flink.core.execution.JobClient;

/** The way by which the tasks of a bounded job hand their outputs to this process. */
interface JobOutputs extends AutoCloseable {

  /**
   * Waits for the end of the outputs of a running job.
   *
   * @param client the job
   * @param collected is given the outputs, also those of a job that fails afterwards
   * @throws Exception if the job fails
   */
  void await(JobClient client, List<UpdateOutput> collected) throws Exception;

  @Override
  void close() throws Exception;
}
