package io.sluice.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.SluiceException;
import java.util.List;
import org.apache.flink.util.InstantiationUtil;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FileSchemaTest {

  private static String typeOf(String type) {
    return FileSchema.declared("c " + type).data().getTypeAt(0).asSerializableString();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "BOOLEAN | BOOLEAN",
        "TINYINT | TINYINT",
        "BYTE | TINYINT",
        "SMALLINT | SMALLINT",
        "int | INT",
        "INTEGER NOT NULL | INT NOT NULL",
        "LONG | BIGINT",
        "FLOAT | FLOAT",
        "DOUBLE PRECISION | DOUBLE",
        "DECIMAL | DECIMAL(10, 0)",
        "DECIMAL(10,2) | DECIMAL(10, 2)",
        "NUMERIC(5) | DECIMAL(5, 0)",
        "STRING | VARCHAR(2147483647)",
        "VARCHAR(20) | VARCHAR(20)",
        "CHAR(3) | CHAR(3)",
        "BINARY | VARBINARY(2147483647)",
        "BINARY(4) | BINARY(4)",
        "BYTES | VARBINARY(2147483647)",
        "DATE | DATE",
        "TIME | TIME(0)",
        "TIMESTAMP | TIMESTAMP(6) WITH LOCAL TIME ZONE",
        "TIMESTAMP(3) | TIMESTAMP(3) WITH LOCAL TIME ZONE",
        "TIMESTAMP_LTZ(3) | TIMESTAMP(3) WITH LOCAL TIME ZONE",
        "TIMESTAMP(3) WITH LOCAL TIME ZONE | TIMESTAMP(3) WITH LOCAL TIME ZONE",
        "TIMESTAMP_NTZ | TIMESTAMP(6)",
        "TIMESTAMP(9) WITHOUT TIME ZONE | TIMESTAMP(9)",
        "ARRAY<STRING> | ARRAY<VARCHAR(2147483647)>",
        "MAP<STRING,INT> | MAP<VARCHAR(2147483647), INT>",
        "STRUCT<a: INT, b: STRING> | ROW<`a` INT, `b` VARCHAR(2147483647)>",
        "ROW<a INT NOT NULL, b ARRAY<ROW<c INT>>> | ROW<`a` INT NOT NULL, `b` ARRAY<ROW<`c` INT>>>",
        "ROW(a INT) | ROW<`a` INT>",
      })
  void typesAreThoseOfSparkAndOfFlink(String declared, String expected) {
    assertThat(typeOf(declared)).isEqualTo(expected);
  }

  @Test
  void namesMayBeQuotedAndColumnsMayHaveComments() {
    FileSchema schema =
        FileSchema.declared("`order id` INT COMMENT 'the ''key'', really', `a``b` : STRING,_x INT");

    assertThat(schema.data().getFieldNames()).containsExactly("order id", "a`b", "_x");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "id INT, name STRNG | column 'name' | 'STRNG' at character 14",
        "id INT, price DECIMAL(50,2) | column 'price' | precision",
        "id INT, price DECIMAL(x) | column 'price' | 'x' at character 23",
        "id INT name STRING | column 'id' | 'name' at character 8",
        "id | column 'id' | the end",
        "id INT, | the end | a column name was expected",
        "tags ARRAY<> | column 'tags' | '>' at character 12",
        "m MAP<STRING> | column 'm' | ',' was expected",
        "t TIMESTAMP WITH TIME ZONE | column 't' | TIMESTAMP_LTZ",
        "s STRUCT<a INT | column 's' | '>' was expected",
        "`open INT | column name was expected | `open INT",
        "id INT, ID STRING | 'ID' twice | case",
        "_rescued_data INT | _rescued_data | STRING",
      })
  void anErrorNamesTheColumnAndTheOffendingText(String text, String first, String second) {
    assertThatThrownBy(() -> FileSchema.declared(text))
        .isInstanceOfSatisfying(
            SluiceException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_OPTION))
        .hasMessageContaining(first)
        .hasMessageContaining(second);
  }

  @Test
  void aDeclaredRescueColumnGoesToTheEnd() {
    FileSchema schema = FileSchema.declared("_rescued_data STRING, id INT");

    assertThat(schema.data().getFieldNames()).containsExactly("id", "_rescued_data");
    assertThat(schema.rescued()).isTrue();
  }

  @Test
  void wideningKeepsPlacesAndTypesAndAppendsWhatIsNew() {
    FileSchema previous =
        FileSchema.of(
            FileSchema.declared("a BIGINT, year BIGINT").data().getFields(), List.of("year"), true);
    FileSchema now =
        FileSchema.of(
            FileSchema.declared("b INT, A DOUBLE, year STRING, day DATE").data().getFields(),
            List.of("day"),
            true);

    FileSchema wide = FileSchema.widen(previous, now);

    assertThat(wide.data().asSummaryString())
        .isEqualTo(
            "ROW<`a` BIGINT, `year` BIGINT, `b` INT, `day` DATE, `_rescued_data` STRING> NOT NULL");
    assertThat(wide.partitionColumns()).containsExactly("year", "day");
    assertThat(FileSchema.widen(wide, now)).isEqualTo(wide);
    assertThat(FileSchema.widen(wide, previous)).isEqualTo(wide);
    assertThat(SchemaInference.newColumns(previous, wide)).containsExactly("b", "day");
  }

  @Test
  void aSchemaComesBackFromJsonAndFromSerialization() throws Exception {
    FileSchema schema =
        FileSchema.of(
            FileSchema.declared(
                    "`ä \"b\" ``c``` STRUCT<x: ARRAY<DECIMAL(5,2)>, y: MAP<STRING,TIMESTAMP>>"
                        + " NOT NULL, d DATE, t TIMESTAMP_NTZ(3), y BIGINT, raw BINARY")
                .data()
                .getFields(),
            List.of("y"),
            true);

    assertThat(FileSchema.fromJson(schema.toJson())).isEqualTo(schema);
    assertThat(InstantiationUtil.clone(schema)).isEqualTo(schema);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"nonsense", "{}", "{\"columns\":[{\"name\":\"a\"}]}"})
  void aKeptSchemaThatIsNoneIsAnError(String json) {
    assertThatThrownBy(() -> FileSchema.fromJson(json))
        .isInstanceOfSatisfying(
            SluiceException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.LEDGER_CORRUPT))
        .hasMessageContaining(json);
  }
}
