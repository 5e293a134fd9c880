/**
 * The pure core: one log of events per key, and the rows of a target as a function of that log. A
 * {@link io.sluice.history.History} takes events in any order and in any batches and answers with
 * the difference of two evaluations; it can be rebuilt from the rows of the table and the few
 * events that rows do not show. {@link io.sluice.history.SequenceType} turns every orderable SQL
 * value into bytes that compare like it. Only the JDK is used here.
 */
package io.sluice.history;
