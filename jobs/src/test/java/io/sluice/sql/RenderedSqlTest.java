package io.sluice.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class RenderedSqlTest {

  private static RenderedSql render(String text) {
    QueryStatement statement =
        (QueryStatement)
            PipelineParser.parse("p.sql", text, Map.of("v", "x, y, z"), Map.of())
                .statements()
                .get(0);
    return statement.query().render(source -> "`a much longer name`");
  }

  /** Original place of the first occurrence of a piece of the rendered text. */
  private static String placeOf(RenderedSql sql, String piece) {
    int offset = sql.text().indexOf(piece);
    String before = sql.text().substring(0, offset);
    int line = (int) before.chars().filter(c -> c == '\n').count() + 1;
    int column = offset - before.lastIndexOf('\n');
    return sql.originalPlace(line, column).toString();
  }

  @Test
  void everyTokenIsTracedBackAcrossReplacementsAndReorderings() {
    RenderedSql sql =
        render(
            "SELECT ${v}, -- comment\n   date_add(start_day, shift) AS day,\n"
                + "  \"two\\nlines\" AS b, c::INT\nFROM STREAM t\nWHERE late");

    assertThat(placeOf(sql, "z")).isEqualTo("p.sql:1:8");
    assertThat(placeOf(sql, "shift")).isEqualTo("p.sql:2:24");
    assertThat(placeOf(sql, "start_day")).isEqualTo("p.sql:2:13");
    assertThat(placeOf(sql, "`day`")).isEqualTo("p.sql:2:34");
    assertThat(placeOf(sql, "b,")).isEqualTo("p.sql:3:19");
    assertThat(placeOf(sql, "CAST(c")).isEqualTo("p.sql:3:22");
    assertThat(placeOf(sql, "longer")).isEqualTo("p.sql:4:6");
    assertThat(placeOf(sql, "late")).isEqualTo("p.sql:5:7");
  }

  @Test
  void placesSurviveALargerText() {
    RenderedSql sql =
        render("SELECT one,\n two FROM t").surroundedBy("INSERT INTO s\nSELECT * FROM (", ")");

    assertThat(sql.text()).endsWith("AS `t`)");
    assertThat(placeOf(sql, "one")).isEqualTo("p.sql:1:8");
    assertThat(placeOf(sql, "two")).isEqualTo("p.sql:2:2");
    assertThat(sql.originalPlace(1, 1).toString()).isEqualTo("p.sql:1:1");
    assertThat(sql.originalPlace(99, 1).toString()).isEqualTo("p.sql:2:11");
  }
}
