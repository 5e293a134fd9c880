package io.sluice.history;

import java.io.Serializable;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * The position of an event in its key's history: bytes that compare, unsigned and
 * lexicographically, as the values they encode (see {@link SequenceType}).
 */
public final class Sequence implements Comparable<Sequence>, Serializable {

  private static final long serialVersionUID = 1L;

  /**
   * No bytes: below every sequence of an event, since no value encodes to nothing. It is the
   * sequence of an SCD 1 row without {@code __SEQUENCE} (semantics 0.17).
   */
  public static final Sequence LOWEST = new Sequence(new byte[0]);

  private final byte[] bytes;

  private Sequence(byte[] bytes) {
    this.bytes = bytes;
  }

  /**
   * @param bytes an encoded value; the array is not copied and must not change afterwards
   */
  public static Sequence of(byte[] bytes) {
    return bytes.length == 0 ? LOWEST : new Sequence(bytes);
  }

  /**
   * The inverse of {@link #toString()}.
   *
   * @throws IllegalArgumentException if the text is not hexadecimal
   */
  public static Sequence parse(String hexadecimal) {
    return of(HexFormat.of().parseHex(hexadecimal));
  }

  /** The encoded value itself, not a copy: it must not be changed. */
  public byte[] bytes() {
    return bytes;
  }

  @Override
  public int compareTo(Sequence other) {
    return Arrays.compareUnsigned(bytes, other.bytes);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Sequence sequence && Arrays.equals(bytes, sequence.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  /** The bytes in hexadecimal. */
  @Override
  public String toString() {
    return HexFormat.of().formatHex(bytes);
  }
}
