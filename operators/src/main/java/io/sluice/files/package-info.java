/**
 * The read_files source: which files a path or glob names, what columns they have, how they are cut
 * into splits, and how a split becomes rows (semantics 17.4). A file is known by path, size and
 * modification time; every row by the ordinal of its file and an offset that keeps the order inside
 * the file. A record that cannot be read is reported, never dropped.
 */
package io.sluice.files;
