/**
 * From a pipeline to Flink: {@link io.sluice.plan.DefinitionResolver} finds the sources, schemas
 * and layouts of all targets and reports every problem, {@link io.sluice.plan.PositionPlanner}
 * decides what each flow reads in an update, {@link io.sluice.plan.UpdateJob} builds its job and
 * {@link io.sluice.plan.ContinuousJob} that of a continuous run.
 */
package io.sluice.plan;
