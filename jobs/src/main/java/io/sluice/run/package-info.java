/**
 * Updates: one bounded job and one commit per target and step, in topological order, with progress
 * and results. Jobs run on a {@link io.sluice.run.FlinkRuntime}.
 */
package io.sluice.run;
