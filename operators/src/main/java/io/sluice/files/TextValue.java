package io.sluice.files;

import java.util.Optional;
import org.apache.flink.table.types.logical.LogicalType;

/** One scalar value written as text, as a CSV file would hold it. */
public final class TextValue {

  private TextValue() {}

  /** Whether values of a type can be written as text. */
  public static boolean isReadable(LogicalType type) {
    return TextReaders.of(type).isPresent();
  }

  /**
   * The value in Flink's internal form.
   *
   * @param type a scalar type
   * @param text numbers as digits, ISO-8601 dates and times, base64 for bytes
   * @return empty where the text is none of the type, or the type is no scalar
   */
  public static Optional<Object> parse(LogicalType type, String text) {
    return TextReaders.of(type).map(reader -> reader.read(text));
  }
}
