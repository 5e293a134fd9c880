/**
 * What keeps the tables of a pipeline. An {@link io.sluice.run.Update} is one bounded job and one
 * commit per target and step, in topological order, with progress and results; a {@link
 * io.sluice.run.ContinuousRun} is one job for all of them that goes on until it is stopped. {@link
 * io.sluice.run.Maintenance} goes beside both. Jobs run on a {@link io.sluice.run.FlinkRuntime}.
 */
package io.sluice.run;
