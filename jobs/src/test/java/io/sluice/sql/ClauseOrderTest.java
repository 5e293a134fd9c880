package io.sluice.sql;

import static io.sluice.sql.Parsing.flow;
import static io.sluice.sql.Parsing.problems;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** All orders of the clauses of a change flow, and every clause twice. */
class ClauseOrderTest {

  private static final String BEGIN = "AUTO CDC INTO t FROM STREAM(s) ";

  private static final List<String> CLAUSES =
      List.of(
          "KEYS a, b",
          "SEQUENCE BY STRUCT(c, d)",
          "SYSTEM SEQUENCE BY e + 1",
          "APPLY AS DELETE WHEN op = 'D' OR columns IS NULL",
          "COLUMNS * EXCEPT f, g",
          "STORED AS BITEMPORAL",
          "TRACK HISTORY ON (h)");

  private static final List<String> MORE =
      List.of(
          "APPLY AS TRUNCATE WHEN stored IS NOT NULL",
          "IGNORE NULL UPDATES ON i, j",
          "COLUMNS TO UPDATE k");

  private static void permute(List<String> left, List<String> chosen, List<String> found) {
    if (left.isEmpty()) {
      found.add(String.join(" ", chosen));
      return;
    }
    for (String clause : left) {
      List<String> rest = new ArrayList<>(left);
      rest.remove(clause);
      List<String> longer = new ArrayList<>(chosen);
      longer.add(clause);
      permute(rest, longer, found);
    }
  }

  @Test
  void everyOrderOfTheClausesMeansTheSame() {
    List<String> orders = new ArrayList<>();
    permute(CLAUSES, List.of(), orders);
    assertThat(orders).hasSize(5040);

    for (String order : orders) {
      FlowBody.AutoCdc flow = flow(FlowBody.AutoCdc.class, BEGIN + order);

      assertThat(summary(flow))
          .as(order)
          .isEqualTo(
              "a b|STRUCT(c, d)|e + 1|op = 'D' OR columns IS NULL|true f g|BITEMPORAL|false h");
    }
  }

  private static String summary(FlowBody.AutoCdc flow) {
    return String.join(
        "|",
        names(flow.keys()),
        flow.sequenceBy().toString(),
        flow.systemSequenceBy().orElseThrow().toString(),
        flow.deleteWhen().orElseThrow().toString(),
        selection(flow.columns().orElseThrow()),
        flow.storedAs().orElseThrow().type().toString(),
        selection(flow.trackHistory().orElseThrow()));
  }

  private static String selection(ColumnSelection selection) {
    return selection.except() + " " + names(selection.columns());
  }

  private static String names(List<Identifier> identifiers) {
    return identifiers.stream().map(Identifier::text).collect(Collectors.joining(" "));
  }

  @Test
  void everyClauseMayFollowEveryOther() {
    List<String> all = new ArrayList<>(CLAUSES);
    all.addAll(MORE);
    for (String first : all) {
      for (String second : all) {
        if (!first.equals(second)) {
          String missing =
              CLAUSES.stream()
                  .limit(2)
                  .filter(clause -> !clause.equals(first) && !clause.equals(second))
                  .collect(Collectors.joining(" "));
          FlowBody.AutoCdc flow =
              flow(FlowBody.AutoCdc.class, BEGIN + first + " " + second + " " + missing);
          assertThat(names(flow.keys())).as(first + " " + second).isEqualTo("a b");
          assertThat(flow.sequenceBy()).hasToString("STRUCT(c, d)");
        }
      }
    }
  }

  @Test
  void everyClauseTwiceIsRefusedAtTheSecondPlace() {
    List<String> all = new ArrayList<>(CLAUSES);
    all.addAll(MORE);
    for (String repeated : all) {
      String text =
          "CREATE FLOW f AS "
              + BEGIN
              + CLAUSES.stream()
                  .limit(2)
                  .filter(clause -> !clause.equals(repeated))
                  .collect(Collectors.joining(" "))
              + " "
              + repeated
              + " ";
      assertThat(problems(text + repeated))
          .singleElement()
          .asString()
          .startsWith("p.sql:1:" + (text.length() + 1) + ": [DUPLICATE_CLAUSE] the clause ")
          .endsWith("is written twice. Keep one of them");
    }
  }
}
