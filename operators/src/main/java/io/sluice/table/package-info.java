/**
 * The table kernel on Apache Iceberg: rows read with their file and position, row changes written
 * by subtasks, and one atomic commit per target that carries the ledger. Deletes are always by file
 * and position, never by equality. Files are rewritten, snapshots expire and orphans go beside
 * writers that know rows by their old places. Nothing here knows a key, a sequence or a flow's
 * meaning, and neither writer nor committer depends on who drives them.
 */
package io.sluice.table;
