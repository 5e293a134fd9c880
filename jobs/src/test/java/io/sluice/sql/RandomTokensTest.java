package io.sluice.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.sluice.errors.SluiceException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Whatever the text, the parser answers with statements or with a SluiceException. */
class RandomTokensTest {

  private static final int SOUPS = 10_000;

  private static final List<String> PIECES =
      List.of(
          "CREATE",
          "OR",
          "REFRESH",
          "REPLACE",
          "STREAMING",
          "TABLE",
          "LIVE",
          "VIEW",
          "FLOW",
          "AS",
          "AUTO",
          "CDC",
          "APPLY",
          "CHANGES",
          "ONCE",
          "INTO",
          "FROM",
          "STREAM",
          "SNAPSHOT",
          "WITH",
          "VERSION",
          "KEYS",
          "SEQUENCE",
          "SYSTEM",
          "BY",
          "NAME",
          "COLUMNS",
          "TO",
          "UPDATE",
          "EXCEPT",
          "STORED",
          "SCD",
          "TYPE",
          "BITEMPORAL",
          "TRACK",
          "HISTORY",
          "ON",
          "IGNORE",
          "NULL",
          "UPDATES",
          "DELETE",
          "TRUNCATE",
          "WHEN",
          "WHERE",
          "INSERT",
          "SELECT",
          "VALUES",
          "SET",
          "USE",
          "DROP",
          "ALTER",
          "SCHEDULE",
          "EVERY",
          "TBLPROPERTIES",
          "COMMENT",
          "CONSTRAINT",
          "EXPECT",
          "VIOLATION",
          "USING",
          "JOIN",
          "GROUP",
          "UNION",
          "LATERAL",
          "UNNEST",
          "CAST",
          "date_add",
          "STRUCT",
          "read_files",
          "table_changes",
          "timestamp",
          "value",
          "a",
          "b",
          "t",
          "`q n`",
          "'s'",
          "\"d\"",
          "1",
          "2.5",
          "(",
          ")",
          "(",
          ")",
          "(",
          ")",
          "[",
          "]",
          "<",
          ">",
          ",",
          ",",
          ".",
          "=",
          "=>",
          "==",
          "!=",
          "::",
          "*",
          "-",
          "+",
          ";",
          "/*+ h */",
          "-- c\n",
          "'",
          "\"",
          "`",
          "/*",
          "${v}",
          "${",
          "${u:-x}",
          "\n",
          "😀",
          "\\",
          "$",
          "é");

  private static final List<String> FORMS =
      List.of(
          "CREATE FLOW f AS AUTO CDC INTO t FROM STREAM s KEYS (a) SEQUENCE BY b COLUMNS * EXCEPT (c)"
              + " STORED AS SCD TYPE 2 TRACK HISTORY ON (d)",
          "CREATE OR REFRESH STREAMING TABLE t (a INT NOT NULL, CONSTRAINT c EXPECT (a > 1))"
              + " TBLPROPERTIES ('k' = 'v') AS SELECT * FROM STREAM read_files('/p', format => 'x')",
          "CREATE FLOW f AS AUTO CDC INTO t FROM SNAPSHOT (SELECT 1) WITH VERSION (SELECT 2) KEYS (a)",
          "WITH x AS (SELECT a::INT FROM b) SELECT date_add(a, 1) FROM x JOIN LATERAL TABLE(f(a)) ON"
              + " TRUE WHERE a IN (SELECT c FROM STREAM(d))",
          "REFRESH STREAMING TABLE t WHERE a > 1 ASYNC",
          "UPDATE t SET a = 1, b = f(2, 3) WHERE c");

  @Test
  void soupsOfTokensNeverGiveAnythingButSluiceExceptions() {
    int parsed = 0;
    for (int seed = 0; seed < SOUPS; seed++) {
      Random random = new Random(seed);
      parsed += parses(seed, seed % 2 == 0 ? soup(random) : mutated(random)) ? 1 : 0;
    }

    assertThat(parsed).as("some texts are still statements").isBetween(50, SOUPS / 2);
  }

  private static String soup(Random random) {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(40); i >= 0; i--) {
      text.append(piece(random)).append(random.nextInt(8) == 0 ? "" : " ");
    }
    return text.toString();
  }

  /** A statement with a few tokens dropped, doubled, swapped or replaced. */
  private static String mutated(Random random) {
    String form = FORMS.get(random.nextInt(FORMS.size()));
    List<String> tokens = new ArrayList<>(List.of(form.split("(?<=\\W)|(?=\\W)")));
    for (int i = random.nextInt(4); i >= 0; i--) {
      int index = random.nextInt(tokens.size() - 1);
      switch (random.nextInt(4)) {
        case 0 -> tokens.remove(index);
        case 1 -> tokens.add(index, tokens.get(index));
        case 2 -> tokens.add(index, tokens.remove(index + 1));
        default -> tokens.set(index, piece(random));
      }
    }
    return String.join("", tokens);
  }

  private static String piece(Random random) {
    return PIECES.get(random.nextInt(PIECES.size()));
  }

  private static boolean parses(int seed, String text) {
    try {
      ParsedPipeline pipeline =
          PipelineParser.parse("soup-" + seed, text, Map.of("v", "x"), Map.of());
      pipeline.statements().forEach(RandomTokensTest::render);
      return true;
    } catch (SluiceException expected) {
      expected
          .problems()
          .forEach(problem -> assertThat(problem.location()).as("seed %d", seed).isPresent());
      return false;
    } catch (RuntimeException | StackOverflowError broken) {
      return fail("seed " + seed + " breaks the parser: " + text, broken);
    }
  }

  private static void render(Statement statement) {
    if (statement instanceof QueryStatement query) {
      query.query().render(Parsing::mark);
    } else if (statement instanceof CreateFlow flow
        && flow.body() instanceof FlowBody.AutoCdc changes) {
      changes.source().query().render(Parsing::mark);
      changes.sequenceBy().render();
    } else if (statement instanceof UpdateRows update) {
      update.assignments().forEach(assignment -> assignment.value().render());
    }
  }
}
