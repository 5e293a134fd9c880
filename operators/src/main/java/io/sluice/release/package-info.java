/**
 * What has to end with a job so that its classes can be unloaded. On a session cluster every job
 * has a class loader of its own, and whatever outlives the job in a task manager keeps all its
 * classes.
 */
package io.sluice.release;
