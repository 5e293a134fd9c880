package io.sluice.sql;

import java.util.Set;

/** Sets of SQL words. */
final class Words {

  private Words() {}

  /** The words of a text, in upper case as {@link SqlToken#isOneOf} takes them. */
  static Set<String> of(String text) {
    return Set.of(text.strip().split("\\s+"));
  }
}
