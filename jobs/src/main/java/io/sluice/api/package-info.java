/**
 * Pipelines declared in Java: a fluent twin of the statements of a pipeline file. A {@link
 * io.sluice.api.PipelineDefinition} gives the same model as the file, passes the same checks, and
 * may hold statements of files, too.
 */
package io.sluice.api;
