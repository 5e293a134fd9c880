/**
 * The model of a pipeline: its tables, views and flows, in declaration order, checked as far as
 * that is possible without looking at data. The {@link io.sluice.pipeline.PipelineBuilder} makes it
 * of parsed statements.
 */
package io.sluice.pipeline;
