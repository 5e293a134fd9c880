/**
 * Bad input and bad luck: what users, catalogs, disks and dying processes do to an update, and that
 * nothing is lost, doubled or left in a state that the next update cannot go on from.
 */
package io.sluice.faults;
