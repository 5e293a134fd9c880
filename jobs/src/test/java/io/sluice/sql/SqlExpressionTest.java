package io.sluice.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.errors.SluiceException;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SqlExpressionTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "STRUCT(ts, txn) | ts=ts txn=txn | ROW(ts, txn)",
        "(ts, txn) | ts=ts txn=txn | ROW(ts, txn)",
        "ROW(t.ts, txn + 1, `a b`) | ts=t.ts col2=txn + 1 a b=`a b` | ROW(t.ts, txn + 1, `a b`)",
        "struct(ts AS moment, f(a, b) AS `n o`) | moment=ts n o=f(a, b) | ROW(ts, f(a, b))",
        "STRUCT(timestamp) | timestamp=timestamp | ROW(`timestamp`)",
        "STRUCT(CURRENT_DATE, NULL, 'x') | col1=CURRENT_DATE col2=NULL col3='x' |"
            + " ROW(CURRENT_DATE, NULL, 'x')",
        "STRUCT((a, b), CAST(c AS INT)) | col1=(a, b) col2=CAST(c AS INT) |"
            + " ROW(ROW(a, b), CAST(c AS INT))"
      })
  void structsHaveNamedFields(String text, String fields, String rendered) {
    SqlExpression expression = SqlExpression.parse(text);

    assertThat(
            expression.structFields().orElseThrow().stream()
                .map(field -> field.name() + "=" + field.expression())
                .collect(Collectors.joining(" ")))
        .isEqualTo(fields);
    assertThat(expression.render().text()).isEqualTo(rendered);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a",
        "(a)",
        "(a + b)",
        "f(a, b)",
        "STRUCT(a, b).a",
        "(a, b) = (c, d)",
        "(SELECT 1, 2)",
        "STRUCT()"
      })
  void otherExpressionsAreNoStructs(String text) {
    assertThat(SqlExpression.parse(text).structFields()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"a | a", "t.a | a", "`b c` | b c", "timestamp | timestamp"})
  void plainColumnsAreTold(String text, String name) {
    assertThat(SqlExpression.parse(text).columnName()).contains(name);
  }

  @ParameterizedTest
  @ValueSource(strings = {"a + 1", "f(a)", "'a'", "NULL", "1", "(a)"})
  void otherExpressionsAreNoColumns(String text) {
    assertThat(SqlExpression.parse(text).columnName()).isEmpty();
  }

  @Test
  void placesOfFieldsAreThoseOfTheText() {
    SqlExpression expression = SqlExpression.parse("STRUCT(a,\n  b + 1)");

    assertThat(expression.structFields().get().get(1).expression().at().toString())
        .isEqualTo("<inline>:2:3");
    assertThat(expression.render().originalPlace(1, 8).toString()).isEqualTo("<inline>:2:3");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "  -- nothing", "a; b", "(a", "a)", "'a"})
  void brokenTextsAreErrors(String text) {
    assertThatThrownBy(() -> SqlExpression.parse(text)).isInstanceOf(SluiceException.class);
    assertThatThrownBy(() -> Query.parse(text)).isInstanceOf(SluiceException.class);
  }
}
