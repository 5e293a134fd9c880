package io.sluice.faults;

/**
 * The process is dead: nothing may catch this, and nothing that the process does afterwards reaches
 * the catalog.
 */
final class Died extends Error {

  private static final long serialVersionUID = 1L;

  Died() {
    super("the process is dead", null, false, false);
  }
}
