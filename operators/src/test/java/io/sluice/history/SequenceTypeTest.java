package io.sluice.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.history.InvalidSequenceException.Reason;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Order and inverse of the binary form of every sequence type, semantics 0.12. */
class SequenceTypeTest {

  private static final long SEED = 20_26;

  private static final StructType NESTED =
      SequenceType.struct(
          new StructType.Field("name", SequenceType.STRING),
          new StructType.Field(
              "inner",
              SequenceType.struct(
                  new StructType.Field("bytes", SequenceType.BYTES),
                  new StructType.Field("txn", SequenceType.DOUBLE))),
          new StructType.Field("last", SequenceType.TINYINT));

  static Stream<SampleValues<?>> samples() {
    return SampleValues.all(new Random(SEED)).stream();
  }

  @ParameterizedTest
  @MethodSource("samples")
  <T> void encodedValuesCompareLikeTheValues(SampleValues<T> samples) throws Exception {
    for (T left : samples.values()) {
      for (T right : samples.values()) {
        int encoded = samples.type().encode(left).compareTo(samples.type().encode(right));
        int natural = samples.natural().compare(left, right);
        assertThat(Integer.signum(encoded))
            .as("%s against %s", left, right)
            .isEqualTo(Integer.signum(natural));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("samples")
  <T> void decodingIsTheInverse(SampleValues<T> samples) throws Exception {
    for (T value : samples.values()) {
      Object decoded = samples.type().decode(samples.type().encode(value));
      if (!isNegativeZero(value)) {
        assertThat(decoded).isEqualTo(value).hasSameClassAs(value);
      }
    }
  }

  private static boolean isNegativeZero(Object value) {
    return value.equals(-0.0) || value.equals(-0.0f);
  }

  @ParameterizedTest
  @MethodSource("samples")
  <T> void aFieldOfAStructIsDecidedBeforeTheNextOne(SampleValues<T> samples) throws Exception {
    StructType pair =
        SequenceType.struct(
            new StructType.Field("first", samples.type()),
            new StructType.Field("second", SequenceType.INTEGER));
    List<T> values = samples.values();
    for (T left : values) {
      for (T right : values) {
        int natural = samples.natural().compare(left, right);
        // Where the first fields are equal the second decides; otherwise it must have no say.
        int encoded = pair.encode(List.of(left, 1)).compareTo(pair.encode(List.of(right, -1)));
        assertThat(Integer.signum(encoded))
            .as("%s against %s", left, right)
            .isEqualTo(natural == 0 ? 1 : Integer.signum(natural));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("samples")
  void nullIsInvalid(SampleValues<?> samples) {
    InvalidSequenceException invalid =
        catchThrowableOfType(InvalidSequenceException.class, () -> samples.type().encode(null));
    assertThat(invalid.reason()).isEqualTo(Reason.NULL);
    assertThat(invalid.field()).isEmpty();
    assertThat(invalid).hasMessage("the sequence is NULL");
  }

  @ParameterizedTest
  @MethodSource("samples")
  <T> void noValueRanksAsLowAsARowWithoutSequence(SampleValues<T> samples) throws Exception {
    for (T value : samples.values()) {
      assertThat(samples.type().encode(value)).isGreaterThan(Sequence.LOWEST);
    }
  }

  @Test
  void nestedStructsCompareFieldByFieldAndDecode() throws Exception {
    Random random = new Random(SEED);
    List<List<Object>> values = new ArrayList<>();
    for (int i = 0; i < 80; i++) {
      byte[] bytes = new byte[random.nextInt(3)];
      double txn = random.nextInt(3) - 1.5;
      values.add(
          List.of(
              "\0a".substring(random.nextInt(3)), List.of(bytes, txn), (byte) random.nextInt()));
    }
    for (List<Object> left : values) {
      List<?> decoded = (List<?>) NESTED.decode(NESTED.encode(left));
      assertThat(decoded).usingRecursiveComparison().isEqualTo(left);
      for (List<Object> right : values) {
        assertThat(Integer.signum(NESTED.encode(left).compareTo(NESTED.encode(right))))
            .isEqualTo(Integer.signum(compareNested(left, right)));
      }
    }
  }

  private static int compareNested(List<?> left, List<?> right) {
    int order = ((String) left.get(0)).compareTo((String) right.get(0));
    List<?> leftInner = (List<?>) left.get(1);
    List<?> rightInner = (List<?>) right.get(1);
    if (order == 0) {
      order = Arrays.compareUnsigned((byte[]) leftInner.get(0), (byte[]) rightInner.get(0));
    }
    if (order == 0) {
      order = ((Double) leftInner.get(1)).compareTo((Double) rightInner.get(1));
    }
    return order != 0 ? order : ((Byte) left.get(2)).compareTo((Byte) right.get(2));
  }

  @Test
  void aNullFieldOfAStructIsInvalidAndNamedByItsPath() {
    InvalidSequenceException invalid =
        catchThrowableOfType(
            InvalidSequenceException.class,
            () -> NESTED.encode(Arrays.asList("a", Arrays.asList(new byte[0], null), (byte) 1)));
    assertThat(invalid.reason()).isEqualTo(Reason.NULL);
    assertThat(invalid.field()).isEqualTo("inner.txn");
    assertThat(invalid).hasMessage("the sequence field 'inner.txn' is NULL");
  }

  @Test
  void nanIsInvalid() {
    for (InvalidSequenceException invalid :
        List.of(
            catchThrowableOfType(
                InvalidSequenceException.class, () -> SequenceType.FLOAT.encode(Float.NaN)),
            catchThrowableOfType(
                InvalidSequenceException.class, () -> SequenceType.DOUBLE.encode(Double.NaN)))) {
      assertThat(invalid.reason()).isEqualTo(Reason.NAN);
    }
  }

  @Test
  void halfASurrogatePairIsInvalid() {
    assertThatThrownBy(() -> SequenceType.STRING.encode("a\uD83D"))
        .isInstanceOf(InvalidSequenceException.class)
        .hasMessageContaining("surrogate");
  }

  @Test
  void bothZerosAreOneSequenceAndDecodeToThePositiveOne() throws Exception {
    assertThat(SequenceType.DOUBLE.encode(-0.0)).isEqualTo(SequenceType.DOUBLE.encode(0.0));
    assertThat(SequenceType.FLOAT.encode(-0.0f)).isEqualTo(SequenceType.FLOAT.encode(0.0f));
    assertThat(SequenceType.DOUBLE.decode(SequenceType.DOUBLE.encode(-0.0))).isEqualTo(0.0);
  }

  @Test
  void aDecimalIsBroughtToItsScaleAndMustFit() throws Exception {
    SequenceType type = SequenceType.decimal(5, 2);
    assertThat(type.encode(new BigDecimal("1.5"))).isEqualTo(type.encode(new BigDecimal("1.50")));
    assertThat(type.decode(type.encode(new BigDecimal("1.5")))).isEqualTo(new BigDecimal("1.50"));
    assertThatThrownBy(() -> type.encode(new BigDecimal("1.555")))
        .isInstanceOf(ArithmeticException.class);
    assertThatThrownBy(() -> type.encode(new BigDecimal("1000.00")))
        .isInstanceOf(ArithmeticException.class)
        .hasMessageContaining("does not fit");
  }

  @Test
  void aValueOfAnotherTypeOrLengthIsAnErrorOfTheProgram() throws Exception {
    assertThatThrownBy(() -> SequenceType.BIGINT.encode(1)).isInstanceOf(ClassCastException.class);
    assertThatThrownBy(() -> NESTED.encode(List.of("a")))
        .isInstanceOf(IllegalArgumentException.class);
    Sequence tooLong = SequenceType.BIGINT.encode(1L);
    assertThatThrownBy(() -> SequenceType.INTEGER.decode(tooLong))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void typesThatDoNotExistCannotBeMade() {
    assertThatThrownBy(() -> SequenceType.decimal(39, 0))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> SequenceType.decimal(5, 6))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> SequenceType.timestamp(10))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> SequenceType.time(-1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(SequenceType::struct).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new PreciseTimestamp(0, 1_000_000))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
