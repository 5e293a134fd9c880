package io.sluice.history;

/** Compares {@link Row}s and counts how often it was asked. */
final class RowValues implements Values<Row> {

  private long comparisons;

  @Override
  public boolean same(Row left, Row right) {
    comparisons++;
    return left.equals(right);
  }

  @Override
  public boolean sameTracked(Row left, Row right) {
    comparisons++;
    return left.tracked().equals(right.tracked());
  }

  @Override
  public int compareContent(Row left, Row right) {
    comparisons++;
    return Row.ORDER.compare(left, right);
  }

  long comparisons() {
    return comparisons;
  }
}
