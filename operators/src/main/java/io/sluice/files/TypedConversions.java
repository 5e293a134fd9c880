package io.sluice.files;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.apache.flink.table.data.ArrayData;
import org.apache.flink.table.data.DecimalData;
import org.apache.flink.table.data.GenericArrayData;
import org.apache.flink.table.data.GenericMapData;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.MapData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.TimestampData;
import org.apache.flink.table.types.logical.ArrayType;
import org.apache.flink.table.types.logical.DecimalType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.LogicalTypeFamily;
import org.apache.flink.table.types.logical.LogicalTypeRoot;
import org.apache.flink.table.types.logical.MapType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.utils.LogicalTypeChecks;

/**
 * Which types of a Parquet or Avro file a column takes: its own; other widths of whole numbers, of
 * decimals, texts and bytes where each value fits exactly; FLOAT into DOUBLE; local times as UTC
 * instants and the reverse, cut to the column's precision.
 */
final class TypedConversions {

  private TypedConversions() {}

  /** The conversion; empty where no value of the one type is surely one of the other. */
  static Optional<TypedConversion> of(LogicalType from, LogicalType to) {
    LogicalTypeRoot source = from.getTypeRoot();
    LogicalTypeRoot target = to.getTypeRoot();
    if (source.getFamilies().contains(LogicalTypeFamily.INTEGER_NUMERIC)
        && target.getFamilies().contains(LogicalTypeFamily.INTEGER_NUMERIC)) {
      return source == target ? identity() : checked(to, value -> integer(value, to));
    }
    if (isOf(from, to, LogicalTypeFamily.TIMESTAMP)) {
      int precision = LogicalTypeChecks.getPrecision(to);
      boolean finer = LogicalTypeChecks.getPrecision(from) > precision;
      return finer ? checked(to, value -> cut((TimestampData) value, precision)) : identity();
    }
    if (isOf(from, to, LogicalTypeFamily.CHARACTER_STRING)) {
      int length = LogicalTypeChecks.getLength(to);
      return length == Integer.MAX_VALUE
          ? identity()
          : checked(
              to,
              value ->
                  ((StringData) value)
                              .toString()
                              .codePointCount(0, ((StringData) value).toString().length())
                          <= length
                      ? value
                      : null);
    }
    if (isOf(from, to, LogicalTypeFamily.BINARY_STRING)) {
      int length = LogicalTypeChecks.getLength(to);
      boolean exact = target == LogicalTypeRoot.BINARY;
      return checked(
          to,
          value -> {
            int found = ((byte[]) value).length;
            return found > length || (exact && found < length) ? null : value;
          });
    }
    if (source == LogicalTypeRoot.FLOAT && target == LogicalTypeRoot.DOUBLE) {
      return checked(to, value -> ((Float) value).doubleValue());
    }
    if (source != target) {
      return Optional.empty();
    }
    return switch (target) {
      case DECIMAL ->
          from.copy(true).equals(to.copy(true))
              ? identity()
              : checked(
                  to,
                  value ->
                      TextReaders.decimal(((DecimalData) value).toBigDecimal(), (DecimalType) to));
      case ARRAY -> array((ArrayType) from, (ArrayType) to);
      case MAP -> map((MapType) from, (MapType) to);
      case ROW -> Optional.of(row((RowType) from, (RowType) to));
      default -> identity();
    };
  }

  private static boolean isOf(LogicalType from, LogicalType to, LogicalTypeFamily family) {
    return from.is(family) && to.is(family);
  }

  private static Optional<TypedConversion> identity() {
    return Optional.of((value, faults, field) -> value);
  }

  /** A conversion that answers null for a value that does not fit. */
  private static Optional<TypedConversion> checked(
      LogicalType to, Function<Object, Object> conversion) {
    return Optional.of(
        (value, faults, field) -> {
          Object converted = conversion.apply(value);
          if (converted == null) {
            String text =
                value instanceof byte[] bytes ? bytes.length + " bytes" : value.toString();
            JsonGenerator kept = faults.mismatch(field, to, text);
            if (kept != null) {
              kept.writeString(text);
            }
          }
          return converted;
        });
  }

  private static Object integer(Object value, LogicalType to) {
    return TextReaders.of(to).orElseThrow().read(value.toString());
  }

  private static TimestampData cut(TimestampData value, int precision) {
    int unit = (int) Math.pow(10, 9 - precision);
    long nanos =
        Math.floorMod(value.getMillisecond(), 1000L) * 1_000_000 + value.getNanoOfMillisecond();
    long kept = nanos - nanos % unit;
    long seconds = Math.floorDiv(value.getMillisecond(), 1000L);
    return TimestampData.fromEpochMillis(
        seconds * 1000 + kept / 1_000_000, (int) (kept % 1_000_000));
  }

  private static Optional<TypedConversion> array(ArrayType from, ArrayType to) {
    ArrayData.ElementGetter getter = ArrayData.createElementGetter(from.getElementType());
    return of(from.getElementType(), to.getElementType())
        .map(
            element ->
                (value, faults, field) -> {
                  int place = faults.enter(field);
                  Object[] converted = elements((ArrayData) value, getter, element, faults);
                  faults.leave(place);
                  return new GenericArrayData(converted);
                });
  }

  private static Object[] elements(
      ArrayData array,
      ArrayData.ElementGetter getter,
      TypedConversion conversion,
      RecordFaults faults)
      throws IOException {
    Object[] converted = new Object[array.size()];
    for (int index = 0; index < converted.length; index++) {
      Object element = getter.getElementOrNull(array, index);
      int place = faults.enter(index);
      converted[index] = element == null ? null : conversion.convert(element, faults, null);
      faults.leave(place);
    }
    return converted;
  }

  private static Optional<TypedConversion> map(MapType from, MapType to) {
    ArrayData.ElementGetter keys = ArrayData.createElementGetter(from.getKeyType());
    ArrayData.ElementGetter values = ArrayData.createElementGetter(from.getValueType());
    Optional<TypedConversion> key = of(from.getKeyType(), to.getKeyType());
    Optional<TypedConversion> element = of(from.getValueType(), to.getValueType());
    if (key.isEmpty() || element.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        (value, faults, field) -> {
          MapData map = (MapData) value;
          int place = faults.enter(field);
          Object[] convertedKeys = elements(map.keyArray(), keys, key.get(), faults);
          Object[] convertedValues = elements(map.valueArray(), values, element.get(), faults);
          faults.leave(place);
          Map<Object, Object> entries = new LinkedHashMap<>();
          for (int index = 0; index < convertedKeys.length; index++) {
            entries.put(convertedKeys[index], convertedValues[index]);
          }
          return new GenericMapData(entries);
        });
  }

  private static TypedConversion row(RowType from, RowType to) {
    TypedRowConversion conversion = new TypedRowConversion(from, to.getFields());
    return (value, faults, field) -> {
      GenericRowData row = new GenericRowData(to.getFieldCount());
      int place = faults.enter(field);
      conversion.convert((RowData) value, faults, row);
      faults.leave(place);
      return row;
    };
  }
}
