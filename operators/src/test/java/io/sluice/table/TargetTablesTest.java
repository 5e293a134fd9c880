package io.sluice.table;

import static io.sluice.table.TestRows.commit;
import static io.sluice.table.TestRows.row;
import static io.sluice.table.TestRows.rows;
import static io.sluice.table.TestRows.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.SluiceException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableUtil;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.types.Types.NestedField;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class TargetTablesTest {

  private static final Schema HISTORY =
      schema(
          field("id", Types.LongType.get()),
          field("name", Types.StringType.get()),
          field("__START_AT", Types.LongType.get()),
          field("__END_AT", Types.LongType.get()));

  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource(TestSetup.class)
  void aTargetIsCreatedWithIdentityDefaultsAndRequiredKeys(TestSetup setup) {
    Table table = setup.create(folder, HISTORY, List.of("id", "__START_AT"), "bucket(16, id)");
    assertThat(TargetTables.isManaged(table)).isTrue();
    assertThat(TargetTables.identity(table)).containsExactly("id", "__START_AT");
    assertThat(table.schema().findField("id").isRequired()).isTrue();
    assertThat(table.schema().findField("__START_AT").isRequired()).isTrue();
    assertThat(table.schema().findField("__END_AT").isOptional()).isTrue();
    assertThat(table.schema().findField("name").isOptional()).isTrue();
    assertThat(table.schema().identifierFieldNames()).containsExactlyInAnyOrder("id", "__START_AT");
    assertThat(table.spec().fields().get(0).transform()).hasToString("bucket[16]");
    assertThat(table.properties())
        .containsEntry("write.metadata.delete-after-commit.enabled", "true")
        .containsEntry("write.metadata.previous-versions-max", "20")
        .containsEntry("write.parquet.compression-codec", "zstd");
    assertThat(TableUtil.formatVersion(table)).isEqualTo(setup.version);
  }

  @Test
  void formatVersionThreeIsTheDefaultAndPropertiesOfTheCallerWin() {
    Table table =
        TargetTables.create(
            TestSetup.HADOOP_V3.catalog(folder),
            TestSetup.NAME,
            new TargetDefinition(
                HISTORY,
                List.of("id"),
                List.of(),
                Optional.of("all customers"),
                Map.of("write.metadata.previous-versions-max", "3", "sluice.kind", "SCD2")));
    assertThat(TableUtil.formatVersion(table)).isEqualTo(3);
    assertThat(table.properties())
        .containsEntry("comment", "all customers")
        .containsEntry("write.metadata.previous-versions-max", "3")
        .containsEntry("sluice.kind", "SCD2");
  }

  @Test
  void identifierFieldsAreLeftOutWhereTheFormatForbidsThem() {
    Schema structured =
        schema(
            field("id", Types.LongType.get()),
            field(
                "__START_AT",
                Types.StructType.of(NestedField.optional(101, "a", Types.LongType.get()))));
    Table table = TestSetup.HADOOP_V3.create(folder, structured, List.of("id", "__START_AT"));
    assertThat(table.schema().identifierFieldIds()).isEmpty();
    assertThat(table.schema().findField("__START_AT").isRequired()).isTrue();
    Table floats =
        TestSetup.HADOOP_V3.create(
            folder.resolve("floats"), schema(field("id", Types.DoubleType.get())), List.of("id"));
    assertThat(floats.schema().identifierFieldIds()).isEmpty();
  }

  @Test
  void anIdentityColumnMustBeAColumn() {
    assertThatThrownBy(() -> TestSetup.HADOOP_V3.create(folder, HISTORY, List.of("key")))
        .isInstanceOfSatisfying(
            SluiceException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.INCOMPATIBLE_SCHEMA))
        .hasMessageContaining("identity column key");
  }

  @ParameterizedTest
  @EnumSource(TestSetup.class)
  void newColumnsComeBeforeTheGeneratedOnesInOneCommit(TestSetup setup) {
    Table table = setup.create(folder, HISTORY, List.of("id", "__START_AT"));
    commit(table, write(table, w -> w.insert(row(1L, "a", 5L, null), 0)), "c1");
    Schema wanted =
        schema(
            field("id", Types.LongType.get()),
            field("city", Types.StringType.get()),
            field("zip", Types.IntegerType.get()),
            field("__START_AT", Types.LongType.get()),
            field("__END_AT", Types.LongType.get()));
    Schema evolved = TargetTables.evolve(table, wanted);
    assertThat(evolved.columns())
        .extracting(NestedField::name)
        .containsExactly("id", "name", "city", "zip", "__START_AT", "__END_AT");
    commit(table, write(table, w -> w.insert(row(2L, null, "x", 7, 6L, null), 0)), "c2");
    assertThat(rows(table, "id", "name", "city", "zip", "__START_AT", "__END_AT"))
        .containsExactly("1|a|null|null|5|null", "2|null|x|7|6|null");
    int schemas = table.schemas().size();
    TargetTables.evolve(table, wanted);
    assertThat(table.schemas()).hasSize(schemas);
  }

  @Test
  void newFieldsOfNestedColumnsAreAdded() {
    Schema before =
        schema(
            field("id", Types.LongType.get()),
            field("n", Types.StructType.of(NestedField.optional(50, "a", Types.IntegerType.get()))),
            field(
                "l",
                Types.ListType.ofOptional(
                    60,
                    Types.StructType.of(NestedField.optional(61, "b", Types.FloatType.get())))));
    Schema wanted =
        schema(
            field("id", Types.LongType.get()),
            field(
                "n",
                Types.StructType.of(
                    NestedField.optional(50, "a", Types.LongType.get()),
                    NestedField.optional(51, "c", Types.StringType.get()))),
            field(
                "l",
                Types.ListType.ofOptional(
                    60,
                    Types.StructType.of(
                        NestedField.optional(61, "b", Types.DoubleType.get()),
                        NestedField.optional(62, "d", Types.DateType.get())))));
    Table table = TestSetup.HADOOP_V3.create(folder, before, List.of("id"));
    Schema evolved = TargetTables.evolve(table, wanted);
    assertThat(evolved.findType("n.a")).isEqualTo(Types.LongType.get());
    assertThat(evolved.findType("n.c")).isEqualTo(Types.StringType.get());
    assertThat(evolved.findType("l.element.b")).isEqualTo(Types.DoubleType.get());
    assertThat(evolved.findType("l.element.d")).isEqualTo(Types.DateType.get());
  }

  @ParameterizedTest
  @CsvSource({
    "int, long, long",
    "long, int, long",
    "float, double, double",
    "double, float, double",
    "'decimal(5, 2)', 'decimal(9, 2)', 'decimal(9, 2)'",
    "'decimal(9, 2)', 'decimal(5, 2)', 'decimal(9, 2)'",
  })
  void typesWidenAndNeverNarrow(String present, String wanted, String result) {
    Table table =
        TestSetup.HADOOP_V3.create(
            folder,
            schema(
                field("id", Types.LongType.get()), field("v", Types.fromPrimitiveString(present))),
            List.of("id"));
    Schema evolved =
        TargetTables.evolve(
            table,
            schema(
                field("id", Types.LongType.get()), field("v", Types.fromPrimitiveString(wanted))));
    assertThat(evolved.findType("v")).isEqualTo(Types.fromPrimitiveString(result));
  }

  @ParameterizedTest
  @CsvSource({
    "string, int",
    "int, string",
    "long, double",
    "timestamp, timestamptz",
    "'decimal(9, 2)', 'decimal(9, 3)'",
    "date, timestamp",
  })
  void otherChangesAreRefusedWithTheColumn(String present, String wanted) {
    Table table =
        TestSetup.HADOOP_V3.create(
            folder,
            schema(
                field("id", Types.LongType.get()), field("v", Types.fromPrimitiveString(present))),
            List.of("id"));
    assertIncompatible(
            table,
            schema(
                field("id", Types.LongType.get()), field("v", Types.fromPrimitiveString(wanted))))
        .hasMessageContaining("column v has type " + Types.fromPrimitiveString(present));
  }

  @Test
  void identityAndGeneratedColumnsKeepTheirTypes() {
    Schema before =
        schema(
            field("id", Types.IntegerType.get()),
            field("__START_AT", Types.IntegerType.get()),
            field("__END_AT", Types.IntegerType.get()));
    Table table = TestSetup.HADOOP_V3.create(folder, before, List.of("id", "__START_AT"));
    assertIncompatible(
            table,
            schema(
                field("id", Types.LongType.get()),
                field("__START_AT", Types.LongType.get()),
                field("__END_AT", Types.LongType.get())))
        .hasMessageContaining("column id")
        .hasMessageContaining("column __START_AT")
        .hasMessageContaining("column __END_AT");
    TargetTables.evolve(table, schema(field("id", Types.IntegerType.get())));
    assertThat(table.schema().findField("id").isRequired()).isTrue();
  }

  @Test
  void aMissingGeneratedColumnIsRefused() {
    Table table = TestSetup.HADOOP_V3.createIdName(folder);
    assertIncompatible(table, HISTORY).hasMessageContaining("column __START_AT is missing");
  }

  @Test
  void aForeignTableIsNotOurs() {
    Catalog catalog = TestSetup.HADOOP_V3.catalog(folder);
    TableIdentifier name = TableIdentifier.of("db", "foreign");
    catalog.createTable(name, HISTORY);
    Table table = TargetTables.open(catalog, name).orElseThrow();
    assertThat(TargetTables.isManaged(table)).isFalse();
    assertThatThrownBy(() -> TargetTables.identity(table))
        .isInstanceOfSatisfying(
            SluiceException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.TABLE_NOT_MANAGED));
    assertThat(TargetTables.open(catalog, TableIdentifier.of("db", "none"))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "bucket(id)",
        "bucket(id, 16)",
        "nothing",
        "hash(id)",
        "days(name)",
        "truncate(x, name)"
      })
  void aWrongPartitionFieldIsRefusedWithTheSpellingsThereAre(String partitioning) {
    assertThatThrownBy(
            () -> TestSetup.HADOOP_V3.create(folder, HISTORY, List.of("id"), partitioning))
        .isInstanceOfSatisfying(
            SluiceException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.INCOMPATIBLE_SCHEMA))
        .hasMessageContaining(partitioning)
        .hasMessageContaining("bucket(n, column)");
  }

  @Test
  void everyTransformOfTimeIsUnderstood() {
    Schema schema =
        schema(field("id", Types.LongType.get()), field("ts", Types.TimestampType.withZone()));
    for (String transform : List.of("year", "months", "DAYS", "hour")) {
      Table table =
          TestSetup.HADOOP_V3.create(
              folder.resolve(transform), schema, List.of("id"), transform + "(`ts`)");
      assertThat(table.spec().fields()).hasSize(1);
      TargetTables.requirePartitioning(table, List.of(transform + "(ts)"));
      assertThatThrownBy(() -> TargetTables.requirePartitioning(table, List.of()))
          .hasMessageContaining("INCOMPATIBLE_SCHEMA");
    }
  }

  private static org.assertj.core.api.AbstractThrowableAssert<?, ? extends Throwable>
      assertIncompatible(Table table, Schema wanted) {
    return assertThatThrownBy(() -> TargetTables.evolve(table, wanted))
        .isInstanceOfSatisfying(
            SluiceException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.INCOMPATIBLE_SCHEMA));
  }

  private static Schema schema(NestedField... fields) {
    List<NestedField> numbered = new java.util.ArrayList<>();
    for (int i = 0; i < fields.length; i++) {
      numbered.add(NestedField.optional(i + 1, fields[i].name(), fields[i].type()));
    }
    return new Schema(numbered);
  }

  private static NestedField field(String name, Type type) {
    return NestedField.optional(1, name, type);
  }
}
