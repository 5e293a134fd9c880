package io.sluice.history;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * Columns of a partial test event: three leaves, of which it authors some, NULLs included.
 *
 * @param leaves values; null where NULL or not authored
 * @param authored which are authored; null for all
 */
record Sparse(List<String> leaves, BitSet authored) {

  static final int LEAVES = 3;

  /** One word per leaf: a value, {@code NULL}, or {@code -} where it is not authored. */
  static Sparse of(String... words) {
    BitSet authored = new BitSet();
    List<String> leaves = new ArrayList<>();
    for (int i = 0; i < LEAVES; i++) {
      authored.set(i, !words[i].equals("-"));
      leaves.add(words[i].equals("-") || words[i].equals("NULL") ? null : words[i]);
    }
    return new Sparse(leaves, authored.cardinality() == LEAVES ? null : authored);
  }

  boolean authors(int leaf) {
    return authored == null || authored.get(leaf);
  }

  /** Compares them; tracks all leaves, or the first one alone. */
  static final class Order implements Values<Sparse> {

    private final boolean trackAll;

    Order(boolean trackAll) {
      this.trackAll = trackAll;
    }

    @Override
    public boolean same(Sparse left, Sparse right) {
      return left.equals(right);
    }

    @Override
    public boolean sameTracked(Sparse left, Sparse right) {
      return trackAll
          ? left.equals(right)
          : String.valueOf(left.leaves.get(0)).equals(String.valueOf(right.leaves.get(0)));
    }

    @Override
    public int compareContent(Sparse left, Sparse right) {
      return left.toString().compareTo(right.toString());
    }

    @Override
    public boolean arePartial() {
      return true;
    }

    @Override
    public boolean trackAll() {
      return trackAll;
    }

    @Override
    public int leaves() {
      return LEAVES;
    }

    @Override
    public BitSet authored(Sparse event) {
      return event.authored;
    }

    @Override
    public Sparse inherit(Sparse event, Sparse before) {
      String[] complete = new String[LEAVES];
      for (int i = 0; i < LEAVES; i++) {
        complete[i] =
            event.authors(i) ? event.leaves.get(i) : before == null ? null : before.leaves.get(i);
      }
      return new Sparse(Arrays.asList(complete), null);
    }
  }
}
