/**
 * Stable error codes and the one exception type that carries them; the base of every other package.
 */
package io.sluice.errors;
