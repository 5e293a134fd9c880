/**
 * What became of the events of one key: the visible rows, every remembered event and its fate.
 * Reads a table and its companion only, no pipeline; a bitemporal key is drawn, too.
 */
package io.sluice.explain;
