package io.sluice.sequencing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.history.InvalidSequenceException;
import io.sluice.history.SequenceDecoder;
import io.sluice.history.SequenceEncoder;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.apache.flink.table.data.DecimalData;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.TimestampData;
import org.apache.flink.table.types.logical.ArrayType;
import org.apache.flink.table.types.logical.BigIntType;
import org.apache.flink.table.types.logical.BooleanType;
import org.apache.flink.table.types.logical.DateType;
import org.apache.flink.table.types.logical.DecimalType;
import org.apache.flink.table.types.logical.DoubleType;
import org.apache.flink.table.types.logical.FloatType;
import org.apache.flink.table.types.logical.IntType;
import org.apache.flink.table.types.logical.LocalZonedTimestampType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.SmallIntType;
import org.apache.flink.table.types.logical.TimeType;
import org.apache.flink.table.types.logical.TimestampType;
import org.apache.flink.table.types.logical.TinyIntType;
import org.apache.flink.table.types.logical.VarBinaryType;
import org.apache.flink.table.types.logical.VarCharType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class OrderedColumnTest {

  private static final LogicalType STRUCT =
      RowType.of(
          new LogicalType[] {new IntType(), new VarCharType(VarCharType.MAX_LENGTH)},
          new String[] {"major", "minor"});

  static Stream<Arguments> ascendingValues() {
    return Stream.of(
        Arguments.of(new BooleanType(), List.of(false, true)),
        Arguments.of(new TinyIntType(), List.of((byte) -128, (byte) 0, (byte) 127)),
        Arguments.of(new SmallIntType(), List.of(Short.MIN_VALUE, (short) -1, Short.MAX_VALUE)),
        Arguments.of(new IntType(), List.of(Integer.MIN_VALUE, -1, 0, 1, Integer.MAX_VALUE)),
        Arguments.of(new BigIntType(), List.of(Long.MIN_VALUE, -1L, 0L, Long.MAX_VALUE)),
        Arguments.of(new FloatType(), List.of(Float.NEGATIVE_INFINITY, -1f, 0f, 1e-30f, 2f)),
        Arguments.of(new DoubleType(), List.of(-1e300, -1.0, 0.0, 1e-300, 5.0)),
        Arguments.of(new DateType(), List.of(-400, 0, 20000)),
        Arguments.of(new TimeType(3), List.of(0, 1, 86_399_999)),
        Arguments.of(
            new DecimalType(10, 2),
            List.of(decimal("-1.50", 10), decimal("0.00", 10), decimal("7.25", 10))),
        Arguments.of(
            new DecimalType(38, 2),
            List.of(
                decimal("-99999999999999999999.50", 38),
                decimal("0.01", 38),
                decimal("88888888888888888888.00", 38))),
        Arguments.of(
            new VarCharType(VarCharType.MAX_LENGTH),
            List.of(
                text(""),
                text("a"),
                text("a\u0000"),
                text("ab"),
                text("b"),
                text("\uFFFD"),
                text("\uD83D\uDE00"))),
        Arguments.of(
            new VarBinaryType(VarBinaryType.MAX_LENGTH),
            List.of(new byte[0], new byte[] {0}, new byte[] {0, 1}, new byte[] {-1})),
        Arguments.of(
            new TimestampType(6), List.of(micros(-1), micros(0), micros(1), micros(1_000_000))),
        Arguments.of(
            new LocalZonedTimestampType(9),
            List.of(
                TimestampData.fromEpochMillis(-1, 999_999),
                TimestampData.fromEpochMillis(0, 0),
                TimestampData.fromEpochMillis(0, 1))),
        Arguments.of(
            STRUCT,
            List.of(
                GenericRowData.of(1, text("z")),
                GenericRowData.of(2, text("a")),
                GenericRowData.of(2, text("ab")))));
  }

  private static DecimalData decimal(String value, int precision) {
    return DecimalData.fromBigDecimal(new BigDecimal(value), precision, 2);
  }

  private static StringData text(String value) {
    return StringData.fromString(value);
  }

  private static TimestampData micros(long micros) {
    return TimestampData.fromEpochMillis(
        Math.floorDiv(micros, 1000L), (int) Math.floorMod(micros, 1000L) * 1000);
  }

  @ParameterizedTest
  @MethodSource("ascendingValues")
  void bytes_order_like_values_and_give_them_back(LogicalType type, List<Object> ascending)
      throws InvalidSequenceException {
    OrderedColumn column = OrderedColumn.ofSequence("s", type);
    byte[] previous = null;
    for (Object value : ascending) {
      byte[] bytes = encode(column, value);
      assertThat(column.take(new SequenceDecoder(bytes))).isEqualTo(value);
      if (previous != null) {
        assertThat(Arrays.compareUnsigned(previous, bytes)).isNegative();
      }
      previous = bytes;
    }
  }

  private static byte[] encode(OrderedColumn column, Object value) throws InvalidSequenceException {
    SequenceEncoder encoder = new SequenceEncoder();
    column.append(GenericRowData.of(value), 0, encoder);
    return encoder.toBytes();
  }

  @Test
  void a_null_field_of_a_struct_is_invalid_and_named() {
    OrderedColumn column = OrderedColumn.ofSequence("s", STRUCT);
    assertThatThrownBy(() -> encode(column, GenericRowData.of(1, null)))
        .isInstanceOf(InvalidSequenceException.class)
        .hasMessageContaining("minor");
  }

  @Test
  void nan_is_no_sequence_but_may_be_a_key() throws InvalidSequenceException {
    assertThatThrownBy(() -> encode(OrderedColumn.ofSequence("s", new DoubleType()), Double.NaN))
        .isInstanceOf(InvalidSequenceException.class);
    OrderedColumn key = OrderedColumn.ofKey("k", new DoubleType());
    assertThat(key.take(new SequenceDecoder(encode(key, Double.NaN)))).isEqualTo(Double.NaN);
  }

  @Test
  void arrays_have_no_order_not_even_inside_structs() {
    LogicalType array = new ArrayType(new IntType());
    assertThat(OrderedColumn.isOrderable(array)).isFalse();
    assertThat(OrderedColumn.isOrderable(RowType.of(new IntType(), array))).isFalse();
    assertThat(OrderedColumn.isOrderable(STRUCT)).isTrue();
  }
}
