package io.sluice.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class SequenceEncoderTest {

  private final SequenceEncoder encoder = new SequenceEncoder();

  @Test
  void whatWasPutIsTakenInTheSameOrder() throws Exception {
    byte[] bytes = {9, 0, 1, 0, 9};
    encoder
        .putBoolean(true)
        .putByte((byte) -5)
        .putShort((short) -300)
        .putInt(-70_000)
        .putLong(Long.MIN_VALUE)
        .putFloat(-1.5f)
        .putDouble(2.5)
        .putUnscaled(BigInteger.TEN.pow(37).negate())
        .putString("\0héllo")
        .putBytes(bytes, 1, 3)
        .putTimestamp(-1, 999_999);
    SequenceDecoder decoder = new SequenceDecoder(encoder.toBytes());
    assertThat(decoder.takeBoolean()).isTrue();
    assertThat(decoder.takeByte()).isEqualTo((byte) -5);
    assertThat(decoder.takeShort()).isEqualTo((short) -300);
    assertThat(decoder.takeInt()).isEqualTo(-70_000);
    assertThat(decoder.takeLong()).isEqualTo(Long.MIN_VALUE);
    assertThat(decoder.takeFloat()).isEqualTo(-1.5f);
    assertThat(decoder.takeDouble()).isEqualTo(2.5);
    assertThat(decoder.takeUnscaled()).isEqualTo(BigInteger.TEN.pow(37).negate());
    assertThat(decoder.takeString()).isEqualTo("\0héllo");
    assertThat(decoder.takeBytes()).containsExactly(0, 1, 0);
    assertThat(decoder.isExhausted()).isFalse();
    assertThat(decoder.takeLong()).isEqualTo(-1);
    assertThat(decoder.takeInt()).isEqualTo(999_999);
    assertThat(decoder.isExhausted()).isTrue();
  }

  @Test
  void theFastPathWritesTheFormOfTheTypes() throws Exception {
    SequenceType type =
        SequenceType.struct(
            new StructType.Field("a", SequenceType.timestamp(6)),
            new StructType.Field("b", SequenceType.STRING),
            new StructType.Field("c", SequenceType.decimal(10, 2)),
            new StructType.Field("d", SequenceType.timestampLtz(9)));
    byte[] utf8 = "é\0".getBytes(StandardCharsets.UTF_8);
    Sequence fast =
        encoder
            .putLong(17)
            .putBytes(utf8, 0, utf8.length)
            .putLong(150)
            .putTimestamp(5, 7)
            .toSequence();
    assertThat(fast)
        .isEqualTo(
            type.encode(List.of(17L, "é\0", new BigDecimal("1.5"), new PreciseTimestamp(5, 7))));
  }

  @Test
  void compositeKeysOfVariableLengthDoNotRunIntoEachOther() {
    assertThat(key("a", "bc")).isNotEqualTo(key("ab", "c"));
    assertThat(key("", "a")).isLessThan(key("\0", ""));
    assertThat(key("a", "\uFFFF")).isLessThan(key("a\0", ""));
  }

  private Sequence key(String first, String second) {
    return encoder.reset().putString(first).putString(second).toSequence();
  }

  @Test
  void aReusedEncoderForgetsAndLeavesEarlierResultsAlone() {
    Sequence first = encoder.putLong(1).toSequence();
    Sequence second = encoder.reset().putLong(2).toSequence();
    assertThat(first).isEqualTo(TestEvents.sequence(1)).isLessThan(second);
    assertThat(encoder.reset().toSequence()).isSameAs(Sequence.LOWEST);
  }

  @Test
  void theBufferGrows() {
    String text = "\0x".repeat(10_000);
    byte[] bytes = encoder.putString(text).putString(text).toBytes();
    SequenceDecoder decoder = new SequenceDecoder(bytes);
    assertThat(decoder.takeString()).isEqualTo(text);
    assertThat(decoder.takeString()).isEqualTo(text);
  }

  @Test
  void nanIsAKeyAboveAllOthersButNoSequence() {
    assertThatThrownBy(() -> encoder.putDouble(Double.NaN))
        .isInstanceOf(InvalidSequenceException.class);
    assertThatThrownBy(() -> encoder.putFloat(Float.NaN))
        .isInstanceOf(InvalidSequenceException.class);
    Sequence infinity = encoder.reset().putKeyDouble(Double.POSITIVE_INFINITY).toSequence();
    Sequence nan = encoder.reset().putKeyDouble(Double.NaN).toSequence();
    double odd = Double.longBitsToDouble(0xFFF8_0000_0000_0001L);
    Sequence oddNan = encoder.reset().putKeyDouble(odd).toSequence();
    assertThat(nan).isGreaterThan(infinity).isEqualTo(oddNan);
    assertThat(encoder.reset().putKeyFloat(Float.NaN).toSequence())
        .isGreaterThan(encoder.reset().putKeyFloat(Float.POSITIVE_INFINITY).toSequence());
  }

  @Test
  void anUnscaledValueOfMoreThanSixteenBytesIsRefused() {
    assertThatThrownBy(() -> encoder.putUnscaled(BigInteger.ONE.shiftLeft(127)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void sequencesAreValues() throws Exception {
    Sequence sequence = TestEvents.sequence(5);
    assertThat(sequence)
        .isEqualTo(TestEvents.sequence(5))
        .hasSameHashCodeAs(TestEvents.sequence(5))
        .isNotEqualTo(TestEvents.sequence(6))
        .hasToString("8000000000000005");
    assertThat(Sequence.of(new byte[] {(byte) 0x80})).isGreaterThan(Sequence.of(new byte[] {0x7F}));
    assertThat(Sequence.of(new byte[0])).isSameAs(Sequence.LOWEST);
  }

  @Test
  void sequencesOriginsAndTypesTravelToOtherMachines() throws Exception {
    for (Object value :
        List.of(
            TestEvents.sequence(5),
            new Origin(1, "topic-3", 17),
            SequenceType.struct(new StructType.Field("a", SequenceType.decimal(3, 1))))) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      try (ObjectOutputStream output = new ObjectOutputStream(bytes)) {
        output.writeObject(value);
      }
      try (ObjectInputStream input =
          new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
        assertThat(input.readObject()).isEqualTo(value);
      }
    }
  }

  @Test
  void originsOrderByFlowThenSourceThenOffsetAndUnknownIsLowest() {
    List<Origin> ordered =
        List.of(
            Origin.UNKNOWN,
            new Origin(0, "a", 9),
            new Origin(0, "b", 1),
            new Origin(0, "b", 2),
            new Origin(1, "a", 0));
    for (int i = 0; i < ordered.size(); i++) {
      for (int j = 0; j < ordered.size(); j++) {
        assertThat(Integer.signum(ordered.get(i).compareTo(ordered.get(j))))
            .isEqualTo(Integer.compare(i, j));
      }
      assertThat(ordered.get(i).isKnown()).isEqualTo(i > 0);
    }
  }

  @Test
  void anEventHasValuesExactlyIfItIsAnUpsert() {
    Sequence sequence = TestEvents.sequence(1);
    assertThatThrownBy(() -> Event.upsert(sequence, null, Origin.UNKNOWN))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Event<>(sequence, Kind.DELETE, Row.of("a"), Origin.UNKNOWN))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
