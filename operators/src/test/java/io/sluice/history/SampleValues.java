package io.sluice.history;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;

/** A sequence type with edge and random values of it and their natural order. */
record SampleValues<T>(SequenceType type, Comparator<T> natural, List<T> values) {

  private static final int RANDOM_VALUES = 60;

  static List<SampleValues<?>> all(Random random) {
    List<SampleValues<?>> all = new ArrayList<>();
    all.add(of(SequenceType.BOOLEAN, Comparator.naturalOrder(), random::nextBoolean, true, false));
    all.add(
        of(
            SequenceType.TINYINT,
            Comparator.naturalOrder(),
            () -> (byte) random.nextInt(),
            Byte.MIN_VALUE,
            Byte.MAX_VALUE,
            (byte) -1,
            (byte) 0,
            (byte) 1));
    all.add(
        of(
            SequenceType.SMALLINT,
            Comparator.naturalOrder(),
            () -> (short) random.nextInt(),
            Short.MIN_VALUE,
            Short.MAX_VALUE,
            (short) -1,
            (short) 0,
            (short) 256));
    for (SequenceType type :
        List.of(SequenceType.INTEGER, SequenceType.DATE, SequenceType.time(0))) {
      all.add(
          of(
              type,
              Comparator.naturalOrder(),
              random::nextInt,
              Integer.MIN_VALUE,
              Integer.MAX_VALUE,
              -1,
              0,
              1,
              86_399_999));
    }
    for (SequenceType type :
        List.of(SequenceType.BIGINT, SequenceType.timestamp(6), SequenceType.timestampLtz(3))) {
      all.add(
          of(
              type,
              Comparator.naturalOrder(),
              random::nextLong,
              Long.MIN_VALUE,
              Long.MAX_VALUE,
              -1L,
              0L,
              1L << 32));
    }
    all.add(floats(random));
    all.add(doubles(random));
    all.add(preciseTimestamps(random));
    all.add(decimals(18, 4, random));
    all.add(decimals(38, 10, random));
    all.add(decimals(38, 38, random));
    all.add(strings(random));
    all.add(bytes(random));
    return all;
  }

  @SafeVarargs
  private static <T> SampleValues<T> of(
      SequenceType type, Comparator<T> natural, Supplier<T> random, T... edges) {
    List<T> values = new ArrayList<>(Arrays.asList(edges));
    for (int i = 0; i < RANDOM_VALUES; i++) {
      values.add(random.get());
    }
    return new SampleValues<>(type, natural, values);
  }

  /** Numeric order, which unlike {@link Float#compare} has one zero. */
  private static SampleValues<Float> floats(Random random) {
    Supplier<Float> bits =
        () -> {
          float value = Float.intBitsToFloat(random.nextInt());
          return Float.isNaN(value) ? 1.5f : value;
        };
    return of(
        SequenceType.FLOAT,
        (left, right) -> left < right ? -1 : left > right ? 1 : 0,
        bits,
        Float.NEGATIVE_INFINITY,
        -Float.MAX_VALUE,
        -Float.MIN_VALUE,
        -0.0f,
        0.0f,
        Float.MIN_VALUE,
        Float.MAX_VALUE,
        Float.POSITIVE_INFINITY);
  }

  private static SampleValues<Double> doubles(Random random) {
    Supplier<Double> bits =
        () -> {
          double value = Double.longBitsToDouble(random.nextLong());
          return Double.isNaN(value) ? 1.5 : value;
        };
    return of(
        SequenceType.DOUBLE,
        (left, right) -> left < right ? -1 : left > right ? 1 : 0,
        bits,
        Double.NEGATIVE_INFINITY,
        -Double.MAX_VALUE,
        -Double.MIN_VALUE,
        -0.0,
        0.0,
        Double.MIN_VALUE,
        Double.MAX_VALUE,
        Double.POSITIVE_INFINITY);
  }

  private static SampleValues<PreciseTimestamp> preciseTimestamps(Random random) {
    return of(
        SequenceType.timestamp(9),
        Comparator.comparing(PreciseTimestamp::epochMillis)
            .thenComparing(PreciseTimestamp::nanoOfMilli),
        () -> new PreciseTimestamp(random.nextInt(3) - 1, random.nextInt(1_000_000)),
        new PreciseTimestamp(Long.MIN_VALUE, 0),
        new PreciseTimestamp(Long.MAX_VALUE, 999_999),
        new PreciseTimestamp(0, 0));
  }

  private static SampleValues<BigDecimal> decimals(int precision, int scale, Random random) {
    BigInteger greatest = BigInteger.TEN.pow(precision).subtract(BigInteger.ONE);
    return of(
        SequenceType.decimal(precision, scale),
        Comparator.naturalOrder(),
        () -> {
          BigInteger magnitude = new BigInteger(random.nextInt(120), random).mod(greatest);
          return new BigDecimal(random.nextBoolean() ? magnitude : magnitude.negate(), scale);
        },
        new BigDecimal(greatest, scale),
        new BigDecimal(greatest.negate(), scale),
        new BigDecimal(BigInteger.ZERO, scale),
        new BigDecimal(BigInteger.ONE, scale),
        new BigDecimal(BigInteger.ONE.negate(), scale));
  }

  /** By code point, which differs from {@link String#compareTo} above the surrogates. */
  private static SampleValues<String> strings(Random random) {
    int[] alphabet = {0, 1, 'a', 'b', 0x7F, 0x80, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFF, 0x10000};
    Comparator<String> byCodePoint =
        (left, right) -> Arrays.compare(left.codePoints().toArray(), right.codePoints().toArray());
    return of(
        SequenceType.STRING,
        byCodePoint,
        () -> {
          StringBuilder text = new StringBuilder();
          for (int length = random.nextInt(5); length > 0; length--) {
            text.appendCodePoint(alphabet[random.nextInt(alphabet.length)]);
          }
          return text.toString();
        },
        "",
        "\0",
        "\0\0",
        "a",
        "a\0",
        "a\0\0",
        "a\0a",
        "a\1",
        "ab",
        "10",
        "9",
        "\uFFFF",
        "\uE000",
        "\uD83D\uDE00",
        "\uDBFF\uDFFF");
  }

  private static SampleValues<byte[]> bytes(Random random) {
    byte[] alphabet = {0, 1, 0x7F, (byte) 0x80, (byte) 0xFE, (byte) 0xFF};
    return of(
        SequenceType.BYTES,
        Arrays::compareUnsigned,
        () -> {
          byte[] value = new byte[random.nextInt(5)];
          for (int i = 0; i < value.length; i++) {
            value[i] = alphabet[random.nextInt(alphabet.length)];
          }
          return value;
        },
        new byte[] {},
        new byte[] {0},
        new byte[] {0, 0},
        new byte[] {0, (byte) 0xFF},
        new byte[] {(byte) 0xFF, 0});
  }
}
