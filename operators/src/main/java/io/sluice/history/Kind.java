package io.sluice.history;

/** What an event does to its key. The order of declaration is the order within a tie. */
public enum Kind {
  DELETE,
  UPSERT
}
