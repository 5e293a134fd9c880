package io.sluice.table;

import static io.sluice.table.TestRows.commit;
import static io.sluice.table.TestRows.locations;
import static io.sluice.table.TestRows.write;
import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.table.data.DecimalData;
import org.apache.flink.table.data.GenericArrayData;
import org.apache.flink.table.data.GenericMapData;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.TimestampData;
import org.apache.flink.table.runtime.typeutils.RowDataSerializer;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.data.IcebergGenerics;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.flink.FlinkSchemaUtil;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.types.Types.NestedField;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every column type through our writer, read by Iceberg and by us, and rewritten from our read. */
class ColumnTypesTest {

  private static final LocalDateTime AT = LocalDateTime.of(2026, 3, 4, 5, 6, 7, 123_456_000);
  private static final LocalDateTime AT_NANOS = AT.plusNanos(789);

  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource(TestSetup.class)
  void everyTypeComesBackAsItWasWritten(TestSetup setup) throws Exception {
    Table table = setup.create(folder, schema(setup.version), List.of("id"));
    commit(
        table,
        write(
            table,
            writer -> {
              writer.insert(values(setup.version, 1L), 0);
              writer.insert(nulls(table, 2L), 0);
              writer.insert(values(setup.version, 3L), 0);
            }),
        "c1");
    assertRows(table, setup, List.of(1L, 2L, 3L));

    List<RowData> read = readAll(table);
    TreeMap<Object, RowLocation> live = locations(table, "id");
    commit(
        table,
        write(
            table,
            writer -> {
              live.values().forEach(writer::delete);
              read.forEach(row -> writer.insert(row, 1));
            }),
        "c2");
    assertRows(table, setup, List.of(1L, 2L, 3L));
    assertThat(readAll(table)).containsExactlyInAnyOrderElementsOf(read);
  }

  private static Schema schema(int version) {
    List<NestedField> fields = new ArrayList<>();
    fields.add(NestedField.optional(1, "id", Types.LongType.get()));
    fields.add(NestedField.optional(2, "flag", Types.BooleanType.get()));
    fields.add(NestedField.optional(3, "number", Types.IntegerType.get()));
    fields.add(NestedField.optional(4, "single", Types.FloatType.get()));
    fields.add(NestedField.optional(5, "twofold", Types.DoubleType.get()));
    fields.add(NestedField.optional(6, "small_decimal", Types.DecimalType.of(9, 2)));
    fields.add(NestedField.optional(7, "large_decimal", Types.DecimalType.of(38, 10)));
    fields.add(NestedField.optional(8, "text", Types.StringType.get()));
    fields.add(NestedField.optional(9, "bytes", Types.BinaryType.get()));
    fields.add(NestedField.optional(10, "fixed", Types.FixedType.ofLength(3)));
    fields.add(NestedField.optional(11, "day", Types.DateType.get()));
    fields.add(NestedField.optional(12, "moment", Types.TimestampType.withoutZone()));
    fields.add(NestedField.optional(13, "instant", Types.TimestampType.withZone()));
    fields.add(NestedField.optional(14, "clock", Types.TimeType.get()));
    fields.add(
        NestedField.optional(
            15,
            "nested",
            Types.StructType.of(
                NestedField.optional(16, "a", Types.IntegerType.get()),
                NestedField.optional(
                    17,
                    "deep",
                    Types.StructType.of(NestedField.optional(18, "b", Types.StringType.get()))))));
    fields.add(
        NestedField.optional(19, "list", Types.ListType.ofOptional(20, Types.StringType.get())));
    fields.add(
        NestedField.optional(
            21,
            "map",
            Types.MapType.ofOptional(22, 23, Types.StringType.get(), Types.LongType.get())));
    fields.add(
        NestedField.optional(
            24,
            "rows",
            Types.ListType.ofOptional(
                25,
                Types.StructType.of(
                    NestedField.optional(26, "x", Types.TimestampType.withZone())))));
    if (version >= 3) {
      fields.add(NestedField.optional(27, "nanos", Types.TimestampNanoType.withoutZone()));
      fields.add(NestedField.optional(28, "nanos_zoned", Types.TimestampNanoType.withZone()));
    }
    return new Schema(fields);
  }

  private static RowData values(int version, long id) {
    Map<Object, Object> map = new HashMap<>();
    map.put(StringData.fromString("k"), 5L);
    map.put(StringData.fromString("n"), null);
    List<Object> fields = new ArrayList<>();
    fields.add(id);
    fields.add(true);
    fields.add(-7);
    fields.add(1.5f);
    fields.add(-2.25);
    fields.add(DecimalData.fromBigDecimal(new BigDecimal("1234567.89"), 9, 2));
    fields.add(
        DecimalData.fromBigDecimal(
            new BigDecimal("1234567890123456789012345678.0123456789"), 38, 10));
    fields.add(StringData.fromString("grün"));
    fields.add(new byte[] {1, 0, -1});
    fields.add(new byte[] {4, 5, 6});
    fields.add((int) LocalDate.of(1969, 12, 31).toEpochDay());
    fields.add(TimestampData.fromLocalDateTime(AT));
    fields.add(TimestampData.fromLocalDateTime(AT));
    fields.add(LocalTime.of(1, 2, 3).toSecondOfDay() * 1000 + 4);
    fields.add(GenericRowData.of(9, GenericRowData.of(StringData.fromString("deep"))));
    fields.add(
        new GenericArrayData(
            new Object[] {StringData.fromString("x"), null, StringData.fromString("z")}));
    fields.add(new GenericMapData(map));
    fields.add(
        new GenericArrayData(
            new Object[] {GenericRowData.of(TimestampData.fromLocalDateTime(AT))}));
    if (version >= 3) {
      fields.add(TimestampData.fromLocalDateTime(AT_NANOS));
      fields.add(TimestampData.fromLocalDateTime(AT_NANOS));
    }
    return GenericRowData.of(fields.toArray());
  }

  private static RowData nulls(Table table, long id) {
    GenericRowData row = new GenericRowData(table.schema().columns().size());
    row.setField(0, id);
    return row;
  }

  private static void assertRows(Table table, TestSetup setup, List<Long> ids) throws Exception {
    table.refresh();
    List<Long> seen = new ArrayList<>();
    try (var records = IcebergGenerics.read(table).build()) {
      for (Record record : records) {
        long id = (Long) record.getField("id");
        seen.add(id);
        if (id == 2) {
          for (NestedField field : table.schema().columns().subList(1, 18)) {
            assertThat(record.getField(field.name())).as(field.name()).isNull();
          }
        } else {
          assertValues(record, setup.version);
        }
      }
    }
    assertThat(seen).containsExactlyInAnyOrderElementsOf(ids);
  }

  private static void assertValues(Record record, int version) {
    OffsetDateTime zoned = AT.atOffset(ZoneOffset.UTC);
    assertThat(record.getField("flag")).isEqualTo(true);
    assertThat(record.getField("number")).isEqualTo(-7);
    assertThat(record.getField("single")).isEqualTo(1.5f);
    assertThat(record.getField("twofold")).isEqualTo(-2.25);
    assertThat(record.getField("small_decimal")).isEqualTo(new BigDecimal("1234567.89"));
    assertThat(record.getField("large_decimal"))
        .isEqualTo(new BigDecimal("1234567890123456789012345678.0123456789"));
    assertThat(record.getField("text")).isEqualTo("grün");
    assertThat(record.getField("bytes")).isEqualTo(ByteBuffer.wrap(new byte[] {1, 0, -1}));
    assertThat(record.getField("fixed")).isEqualTo(new byte[] {4, 5, 6});
    assertThat(record.getField("day")).isEqualTo(LocalDate.of(1969, 12, 31));
    assertThat(record.getField("moment")).isEqualTo(AT);
    assertThat(record.getField("instant")).isEqualTo(zoned);
    assertThat(record.getField("clock")).isEqualTo(LocalTime.of(1, 2, 3, 4_000_000));
    Record nested = (Record) record.getField("nested");
    assertThat(nested.getField("a")).isEqualTo(9);
    assertThat(((Record) nested.getField("deep")).getField("b")).isEqualTo("deep");
    assertThat((List<?>) record.getField("list")).asList().containsExactly("x", null, "z");
    Map<String, Long> map = new HashMap<>();
    map.put("k", 5L);
    map.put("n", null);
    assertThat(record.getField("map")).isEqualTo(map);
    Record inList = (Record) ((List<?>) record.getField("rows")).get(0);
    assertThat(inList.getField("x")).isEqualTo(zoned);
    if (version >= 3) {
      assertThat(record.getField("nanos")).isEqualTo(AT_NANOS);
      assertThat(record.getField("nanos_zoned")).isEqualTo(AT_NANOS.atOffset(ZoneOffset.UTC));
    }
  }

  private static List<RowData> readAll(Table table) {
    table.refresh();
    RowDataSerializer serializer = new RowDataSerializer(FlinkSchemaUtil.convert(table.schema()));
    List<RowData> rows = new ArrayList<>();
    LocatedRowReader reader = new LocatedRowReader(table, table.schema());
    for (RowSplit split :
        LocatedRows.plan(table, table.currentSnapshot().snapshotId(), List.of())) {
      reader.read(
          split,
          Selection.all(),
          (row, file, position) -> rows.add(serializer.toBinaryRow(row).copy()));
    }
    return rows;
  }
}
