package io.sluice.sequencing;

import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import org.apache.flink.table.data.StringData;

/**
 * What a source writes for a value that it does not send (semantics 8): a text, and in columns of
 * bytes the bytes of that text or of its base64 form.
 */
public final class UnavailableValue implements Serializable {

  private static final long serialVersionUID = 1L;

  private final byte[] text;
  private final byte[] base64;

  /**
   * @param text as the source writes it, not empty
   */
  public UnavailableValue(String text) {
    this.text = text.getBytes(StandardCharsets.UTF_8);
    this.base64 = Base64.getEncoder().encode(this.text);
  }

  boolean matches(Object value) {
    byte[] bytes;
    if (value instanceof StringData string) {
      bytes = string.toBytes();
    } else if (value instanceof byte[] binary) {
      bytes = binary;
    } else {
      return false;
    }
    return Arrays.equals(bytes, text) || Arrays.equals(bytes, base64);
  }
}
