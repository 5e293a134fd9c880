package io.sluice.sql;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * {@code debezium_sequence('database' [, column])}: the order in which a database made the changes
 * that Debezium tells of, as the fields of a struct over the column {@code source}. Rows of a
 * snapshot rank at the place of the snapshot, below all changes there.
 */
final class DebeziumSequence {

  private static final String NAME = "DEBEZIUM_SEQUENCE";

  private static final String IS_SNAPSHOT = "LOWER(COALESCE($.snapshot, 'false')) <> 'false'";

  /** 0 for rows of a snapshot, 1 for changes. */
  private static final String PHASE = "CASE WHEN " + IS_SNAPSHOT + " THEN 0 ELSE 1 END AS phase";

  /**
   * PostgreSQL: the commit that was sent before. A transaction commits behind it and behind its own
   * changes, so the greater of the two says whether that was before or after a snapshot, but for
   * the first commit behind the snapshot of what was written before it. Debezium tells no more.
   */
  private static final String LAST_COMMIT = "TRY_CAST(JSON_VALUE($.`sequence`, '$[0]') AS BIGINT)";

  /** By database the struct; {@code $} is the column. What a change lacks stays NULL: invalid. */
  private static final Map<String, String> STRUCTS =
      Map.of(
          "postgres",
          "STRUCT(CASE WHEN "
              + IS_SNAPSHOT
              + " THEN COALESCE("
              + LAST_COMMIT
              + ", $.lsn, 0) ELSE GREATEST(COALESCE("
              + LAST_COMMIT
              + ", $.lsn), $.lsn) END AS commit_lsn, "
              + PHASE
              + ", "
              + either("$.lsn", "0", "lsn").replaceFirst(", $", ")"),
          "mysql",
          "STRUCT("
              + either("CAST(REGEXP_EXTRACT($.`file`, '[0-9]+$', 0) AS BIGINT)", "0", "file")
              + either("$.pos", "0", "pos")
              + PHASE
              + ", COALESCE($.`row`, 0) AS `row`)",
          "sqlserver",
          "STRUCT("
              + either("$.commit_lsn", "''", "commit_lsn")
              + PHASE
              + ", "
              + either("$.change_lsn", "''", "change_lsn")
              + "COALESCE($.event_serial_no, 0) AS event_serial_no)",
          "oracle",
          "STRUCT("
              + either(number("$.commit_scn"), "COALESCE(" + number("$.scn") + ", 0)", "commit_scn")
              + PHASE
              + ", COALESCE($.txSeq, 0) AS tx_seq, "
              + either(number("$.scn"), "0", "scn")
              + "COALESCE($.rs_id, '') AS rs_id, COALESCE($.ssn, 0) AS ssn)");

  /** A field that rows of a snapshot may lack. */
  private static String either(String values, String inSnapshots, String name) {
    return "COALESCE("
        + values
        + ", CASE WHEN "
        + IS_SNAPSHOT
        + " THEN "
        + inSnapshots
        + " END) AS "
        + name
        + ", ";
  }

  /** SCNs are texts that may exceed 64 bits. */
  private static String number(String text) {
    return "CAST(" + text + " AS DECIMAL(38, 0))";
  }

  private static final Map<String, String> OTHER_NAMES =
      Map.of("postgresql", "postgres", "mariadb", "mysql", "mssql", "sqlserver");

  private DebeziumSequence() {}

  /** Whether a range of tokens is one call and nothing else. */
  static boolean isCall(TokenTree tree, TokenTree.Range range) {
    return range.size() > 2
        && tree.keyword(range.from(), NAME)
        && tree.symbol(range.from() + 1, "(")
        && tree.match(range.from() + 1) == range.to() - 1;
  }

  /** Adds what is wrong with the calls in an expression. */
  static void check(TokenTree tree, List<Problem> problems) {
    for (int i = 0; i < tree.size(); i++) {
      if (tree.keyword(i, NAME) && tree.symbol(i + 1, "(") && tree.match(i + 1) > 0) {
        TokenTree.Range call = new TokenTree.Range(i, tree.match(i + 1) + 1);
        if (struct(tree, call).isEmpty()) {
          problems.add(
              Problem.at(
                  tree.token(i).at(),
                  ErrorCode.INVALID_OPTION,
                  "debezium_sequence does not know " + tree.text(call),
                  "Write debezium_sequence('postgres'), 'mysql', 'sqlserver' or 'oracle'; a second"
                      + " argument names the column with Debezium's source block if it is not"
                      + " source"));
        } else if (!isField(tree, call)) {
          problems.add(
              Problem.at(
                  tree.token(i).at(),
                  ErrorCode.INVALID_OPTION,
                  "debezium_sequence stands inside of an expression",
                  "Use it as the whole sequence or as a field of a struct:"
                      + " (epoch, debezium_sequence('mysql'))"));
        }
      }
    }
  }

  private static boolean isField(TokenTree tree, TokenTree.Range call) {
    int open = tree.enclosing(call.from());
    if (open < 0) {
      return call.size() == tree.size();
    }
    boolean struct =
        open == 0 || open == 1 && (tree.keyword(0, "STRUCT") || tree.keyword(0, "ROW"));
    return struct
        && tree.match(open) == tree.size() - 1
        && tree.split(new TokenTree.Range(open + 1, tree.match(open))).contains(call);
  }

  /** The fields that a call stands for. */
  static List<StructField> fields(TokenTree tree, TokenTree.Range call) {
    String text = struct(tree, call).orElseThrow();
    return SqlExpression.parse(text, tree.token(call.from()).at()).structFields().orElseThrow();
  }

  private static Optional<String> struct(TokenTree tree, TokenTree.Range call) {
    List<TokenTree.Range> arguments =
        new ArrayList<>(tree.split(new TokenTree.Range(call.from() + 2, call.to() - 1)));
    boolean literal =
        !arguments.isEmpty()
            && arguments.size() <= 2
            && arguments.get(0).size() == 1
            && tree.text(arguments.get(0).from());
    if (!literal) {
      return Optional.empty();
    }
    String column = "source";
    if (arguments.size() == 2) {
      TokenTree.Range second = arguments.get(1);
      if (second.size() == 0
          || !tree.name(second.from())
          || tree.endOfName(second.from()) != second.to()) {
        return Optional.empty();
      }
      column = String.join(".", quoted(tree.parts(second.from(), second.to())));
    } else {
      column = SqlToken.backQuote(column);
    }
    String database = tree.token(arguments.get(0).from()).content().toLowerCase(Locale.ROOT);
    String struct = STRUCTS.get(OTHER_NAMES.getOrDefault(database, database));
    return Optional.ofNullable(struct).map(new Column(column)::in);
  }

  private static List<String> quoted(List<String> parts) {
    return parts.stream().map(SqlToken::backQuote).toList();
  }

  private record Column(String name) {

    /** Puts the name where the column is meant, which a dot follows. */
    String in(String struct) {
      return struct.replace("$.", name + ".");
    }
  }
}
