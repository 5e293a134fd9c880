package io.sluice.sequencing;

import java.util.Arrays;

/**
 * A value of keyed state in the form of a {@link KeptCodec}, whose first byte is the version of the
 * form.
 */
public final class KeptBytes {

  private final byte[] bytes;

  KeptBytes(byte[] bytes) {
    this.bytes = bytes;
  }

  byte[] bytes() {
    return bytes;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof KeptBytes that && Arrays.equals(bytes, that.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }
}
