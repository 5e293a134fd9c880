package examples.postgres;

import java.math.BigDecimal;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Random;

/** Values for the columns; each is NULL now and then. */
final class RandomRows {

  private static final int LARGE = 3000;

  private final Random random;

  RandomRows(Random random) {
    this.random = random;
  }

  String name() {
    return random.nextInt(8) == 0 ? null : "näme \"" + random.nextInt(1000) + "\"\n\\";
  }

  BigDecimal price() {
    return random.nextInt(8) == 0
        ? null
        : BigDecimal.valueOf(random.nextLong(-999_999_999_999L, 999_999_999_999L), 2);
  }

  Double weight() {
    return random.nextInt(8) == 0 ? null : random.nextGaussian() * 1e6;
  }

  Boolean flag() {
    return random.nextInt(3) == 0 ? null : random.nextBoolean();
  }

  /** A moment between 1950 and 2090, in microseconds. */
  OffsetDateTime time() {
    long second = random.nextLong(-631_152_000L, 3_786_912_000L);
    return OffsetDateTime.ofInstant(
        java.time.Instant.ofEpochSecond(second, random.nextInt(1_000_000) * 1000L), ZoneOffset.UTC);
  }

  String document() {
    return random.nextInt(8) == 0 ? null : "{\"b\": [1, null], \"a\": " + random.nextInt(100) + "}";
  }

  /** NULL, a short text, or one so large that it lies outside of its row. */
  String note() {
    return switch (random.nextInt(4)) {
      case 0 -> null;
      case 1 -> "note " + random.nextInt(100);
      default -> random.nextInt(100) + "é".repeat(LARGE);
    };
  }
}
