/**
 * The keyed part of a job: rows of a flow become events ({@link
 * io.sluice.sequencing.EventEncoder}), the existing rows of the touched keys enter beside them
 * ({@link io.sluice.sequencing.ExistingRowsFunction}), the {@link io.sluice.sequencing.Sequencer}
 * applies the events of one key and emits only the difference ({@link
 * io.sluice.sequencing.RowChange}), which {@link io.sluice.sequencing.RowChangeOperator} writes.
 */
package io.sluice.sequencing;
