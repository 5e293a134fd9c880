package io.sluice.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * A generator that knows what it wrote is the judge: it makes queries together with the sources
 * they read and with the SQL that Flink should get.
 */
class RandomQueriesTest {

  private static final int QUERIES = 4_000;

  /** A piece of SQL as written and as Flink gets it. */
  private record Piece(String written, String flink) {

    static Piece same(String text) {
      return new Piece(text, text);
    }

    Piece then(Piece next) {
      return new Piece(written + next.written, flink + next.flink);
    }

    Piece then(String text) {
      return then(same(text));
    }
  }

  private static final class Generator {

    private final Random random;
    private final List<String> sources = new ArrayList<>();
    private int names;

    Generator(long seed) {
      this.random = new Random(seed);
    }

    Piece query(int depth, List<String> visible) {
      List<String> inside = new ArrayList<>(visible);
      Piece with = Piece.same("");
      if (depth > 0 && random.nextInt(4) == 0) {
        with = commonTables(depth - 1, inside);
      }
      Piece query = with.then(select(depth, inside));
      if (depth > 0 && random.nextInt(5) == 0) {
        String operator = pick("UNION ALL", "UNION", "INTERSECT", "EXCEPT");
        query = query.then(" " + operator + " ").then(select(depth - 1, inside));
      }
      return random.nextInt(4) == 0 ? query.then(" ORDER BY o LIMIT 5") : query;
    }

    private Piece commonTables(int depth, List<String> visible) {
      Piece with = Piece.same("WITH ");
      for (int i = random.nextInt(2); i >= 0; i--) {
        String name = "w" + names++;
        String columns = random.nextInt(3) == 0 ? " (c, d)" : "";
        with = with.then(name + columns + " AS (").then(query(depth, visible));
        with = with.then(i == 0 ? ") " : "), ");
        visible.add(name);
      }
      return with;
    }

    private Piece select(int depth, List<String> visible) {
      Piece select = Piece.same(pick("SELECT ", "SELECT DISTINCT ", "select "));
      select = select.then(expression(depth, visible));
      if (random.nextBoolean()) {
        select = select.then(", ").then(expression(depth, visible)).then(" AS x");
      }
      select = select.then(pick(" FROM ", "\nfrom ")).then(source(depth, visible));
      while (random.nextInt(3) == 0) {
        select = select.then(joined(depth, visible));
      }
      if (random.nextInt(3) == 0) {
        select = select.then(" WHERE ").then(expression(depth, visible)).then(" = 1");
      }
      return random.nextInt(5) == 0 ? select.then(" GROUP BY a, b HAVING count(*) > 1") : select;
    }

    private Piece joined(int depth, List<String> visible) {
      return switch (random.nextInt(5)) {
        case 0 -> Piece.same(", ").then(source(depth, visible));
        case 1 -> Piece.same(" CROSS JOIN ").then(source(depth, visible));
        case 2 ->
            Piece.same(pick(" LEFT JOIN ", " JOIN ", " FULL OUTER JOIN "))
                .then(source(depth, visible))
                .then(" ON ")
                .then(expression(depth, visible))
                .then(" = ARRAY[a, b][1]");
        case 3 -> Piece.same(" JOIN ").then(source(depth, visible)).then(" USING (a, b)");
        default -> Piece.same(" CROSS JOIN UNNEST(list) AS u (from_list, b)");
      };
    }

    private Piece source(int depth, List<String> visible) {
      String alias = pick(" s", " AS s", " AS `s t`");
      if (depth > 0 && random.nextInt(4) == 0) {
        return Piece.same("(").then(query(depth - 1, visible)).then(")" + alias);
      }
      if (depth > 0 && random.nextInt(8) == 0) {
        return Piece.same("(")
            .then(source(depth - 1, visible))
            .then(" CROSS JOIN ")
            .then(source(depth - 1, visible))
            .then(")");
      }
      if (!visible.isEmpty() && random.nextInt(3) == 0) {
        return Piece.same(visible.get(random.nextInt(visible.size())) + alias);
      }
      return switch (random.nextInt(7)) {
        case 0 -> Piece.same("(VALUES (1, 2)) AS v (a, b)");
        case 1 -> Piece.same("LATERAL TABLE(split(a, 'x FROM y')) AS l (b)");
        case 2 -> Piece.same("TUMBLE(TABLE ").then(table("", "")).then(", DESCRIPTOR(t), 1)");
        case 3 -> files(alias);
        case 4 -> table(pick("STREAM ", "stream "), alias);
        case 5 -> {
          Piece inside = table("", "");
          String last = sources.remove(sources.size() - 1);
          sources.add(last.replace("<", "<stream "));
          yield new Piece(
              "STREAM(" + inside.written() + ")" + alias,
              inside.flink().replace("<", "<stream ") + alias);
        }
        default -> random.nextBoolean() ? table("", alias) : unaliased();
      };
    }

    private Piece table(String stream, String alias) {
      String name = pick("db.", "cat.db.", "") + "t" + names++;
      String mark = (stream.isEmpty() ? "<" : "<stream ") + name + ">";
      sources.add(mark);
      return new Piece(stream + name + alias, mark + alias);
    }

    private Piece unaliased() {
      Piece table = table("", "");
      return new Piece(table.written(), table.flink() + " AS `t" + (names - 1) + "`");
    }

    private Piece files(String alias) {
      String path = "/in/" + names++;
      boolean stream = random.nextBoolean();
      String mark = (stream ? "<stream " : "<") + path + ">";
      sources.add(mark);
      return new Piece(
          (stream ? "STREAM " : "") + "read_files(\"" + path + "\", format => 'json')" + alias,
          mark + alias);
    }

    private Piece expression(int depth, List<String> visible) {
      if (depth > 0 && random.nextInt(6) == 0) {
        String call = pick("", "f(1, ", "coalesce(");
        return Piece.same(call + "(")
            .then(query(depth - 1, visible))
            .then(call.isEmpty() ? ")" : "))");
      }
      return switch (random.nextInt(9)) {
        case 0 -> Piece.same("EXTRACT(DAY FROM c)");
        case 1 -> Piece.same("TRIM(BOTH 'x' FROM c)");
        case 2 -> new Piece("year(timestamp)", "year(`timestamp`)");
        case 3 -> new Piece("\"it's FROM q\"", "'it''s FROM q'");
        case 4 -> new Piece("date_add(d, f(1, 2))", "TIMESTAMPADD(DAY, f(1, 2), CAST(d AS DATE))");
        case 5 -> new Piece("(a IS DISTINCT FROM b)", "(a IS DISTINCT FROM b)");
        case 6 -> new Piece("current_date()", "CURRENT_DATE");
        case 7 -> new Piece("a::STRING", "CAST(a AS STRING)");
        default -> Piece.same("CASE WHEN a THEN b ELSE c END");
      };
    }

    private String pick(String... choices) {
      return choices[random.nextInt(choices.length)];
    }
  }

  @Test
  void exactlyTheSourcesThatWereWrittenAreFoundAndReplaced() {
    int found = 0;
    for (int seed = 0; seed < QUERIES; seed++) {
      Generator generator = new Generator(seed);
      Piece piece = generator.query(3, List.of());
      String written = piece.written();
      Query query = Query.parse(written);

      assertThat(query.sources().stream().map(Parsing::mark).toList())
          .as("seed %d: %s", seed, written)
          .containsExactlyElementsOf(generator.sources);
      assertThat(query.render(Parsing::mark).text())
          .as("seed %d: %s", seed, written)
          .isEqualTo(piece.flink());
      found += generator.sources.size();
    }
    assertThat(found).isGreaterThan(QUERIES);
  }
}
