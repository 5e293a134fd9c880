package io.sluice.sequencing;

/** Which leaves of a row are authored, as bits of bytes: the form in which records carry it. */
final class LeafMask {

  private final byte[] bits;
  private final int leaves;

  LeafMask(int leaves) {
    this(new byte[(leaves + 7) / 8], leaves);
  }

  /**
   * @param bits may be shorter than the leaves need: what is behind is not authored
   */
  LeafMask(byte[] bits, int leaves) {
    this.bits = bits;
    this.leaves = leaves;
  }

  boolean get(int leaf) {
    return leaf >> 3 < bits.length && (bits[leaf >> 3] & 1 << (leaf & 7)) != 0;
  }

  void set(int leaf) {
    bits[leaf >> 3] |= (byte) (1 << (leaf & 7));
  }

  void set(int from, int until) {
    for (int leaf = from; leaf < until; leaf++) {
      set(leaf);
    }
  }

  void clear(int leaf) {
    bits[leaf >> 3] &= (byte) ~(1 << (leaf & 7));
  }

  int count(int from, int until) {
    int count = 0;
    for (int leaf = from; leaf < until; leaf++) {
      count += get(leaf) ? 1 : 0;
    }
    return count;
  }

  /** The bits, not copied; null where every leaf is authored. */
  byte[] toBytes() {
    return count(0, leaves) == leaves ? null : bits;
  }
}
