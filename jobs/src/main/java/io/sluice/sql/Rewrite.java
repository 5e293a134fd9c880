package io.sluice.sql;

/** A change to a run of tokens on the way to Flink SQL. */
sealed interface Rewrite {

  /** Token behind the run. */
  int to();

  /** The run becomes this text; empty text removes it. */
  record Text(int to, String text) implements Rewrite {}

  /**
   * {@code date_add(date, days)} or {@code date_sub}.
   *
   * @param date tokens of the date
   * @param days tokens of the number
   * @param back whether days are subtracted
   */
  record DateShift(int to, TokenTree.Range date, TokenTree.Range days, boolean back)
      implements Rewrite {}

  /**
   * {@code operand::type}.
   *
   * @param operand tokens of the operand
   * @param type the type's text
   */
  record Cast(int to, TokenTree.Range operand, String type) implements Rewrite {}
}
