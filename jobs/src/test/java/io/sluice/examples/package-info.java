/**
 * Runs the pipelines of the folder {@code examples} as they are, on copies of the data they ship.
 * What their tables must hold is either written down or worked out by a fold of a few lines.
 */
package io.sluice.examples;
