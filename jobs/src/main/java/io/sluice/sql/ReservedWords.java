package io.sluice.sql;

import java.util.Set;

/**
 * Words that Flink reserves and that people use as column names. A word is back-quoted only where a
 * whole operand can stand and nothing follows that would make it syntax: {@code year(timestamp)}
 * but not {@code TIMESTAMP '2025-01-01'}.
 */
final class ReservedWords {

  private static final Set<String> COLUMN_NAMES =
      Words.of(
          """
          BIGINT BINARY BOOLEAN BYTES CHAR CHARACTER DATE DATETIME DECIMAL DOUBLE FLOAT INT
          INTEGER NUMERIC REAL SMALLINT STRING TIME TIMESTAMP TIMESTAMP_LTZ TINYINT VARCHAR
          YEAR QUARTER MONTH WEEK DAY HOUR MINUTE SECOND DECADE CENTURY EPOCH YEARS MONTHS
          DAYS HOURS MINUTES SECONDS WEEKS ABS AVG CEIL COLLECT COUNT EXP FIRST_VALUE FLOOR
          LAG LAST_VALUE LEAD LOWER MAX MIN MOD POSITION POWER RANK ROUND SQRT SUM UPPER
          GROUPING CARDINALITY ELEMENT TRUNCATE CLASSIFIER ANALYZE BEGIN BLOB CALL CATALOGS
          CHECK CLOSE COLLATE COLUMN COMMENT COMMIT CONDITION CONNECT CONSTRAINT CONTAINS
          CONVERT CREATE CUBE CURRENT CYCLE DATABASE DATABASES DEFINE DELETE DESCRIBE DROP
          DYNAMIC EACH EMPTY END EQUALS ESCAPE EVERY EXECUTE EXPLAIN EXTEND EXTENDED
          EXTERNAL FILTER FOREIGN FREE FUNCTION FUNCTIONS FUSION GET GLOBAL GRANT GROUP
          GROUPS HOLD IDENTITY IMPORT INDICATOR INITIAL INSERT LANGUAGE LARGE LIKE LIMIT
          LOCAL MATCH MATCHES MEASURES MEMBER MERGE METHOD MODULE MODULES NONE
          OCCURRENCES_REGEX OFFSET OLD ONE OPEN ORDER OUT OUTER OVERLAPS OVERLAY PARAMETER
          PARTITION PARTITIONS PATTERN PER PERCENT PERIOD PERMUTE PORTION PRECEDES PRECISION
          PREPARE PRIMARY PROCEDURE RANGE REF REFERENCES REFERENCING RELEASE RENAME RESET
          RESULT RETURN RETURNS REVOKE ROLLBACK ROLLUP ROWS SAVEPOINT SCALA SCOPE SCROLL
          SEARCH SEEK SENSITIVE SET SHOW SIMILAR SKIP SPECIFIC SQL START STATEMENT STATIC
          STREAM SUBMULTISET SUBSET SUBSTRING SUCCEEDS SYSTEM SYSTEM_TIME TABLES TABLESAMPLE
          TRANSLATE TRIGGER TRIM UESCAPE UNIQUE UPDATE UPSERT USE USER VALUE VARBINARY
          VARYING VERSIONING VIEW VIEWS WATERMARK WATERMARKS WINDOW WITHIN TYPE STATUS KEY
          LEVEL NAME SOURCE STATE AT NEW NEXT NO PREV RAW CURSOR DEC EXEC
          """);

  private static final Set<String> UNITS =
      Words.of(
          """
          YEAR QUARTER MONTH WEEK DAY HOUR MINUTE SECOND DECADE CENTURY EPOCH
          """);

  /** Words that may end an expression behind a parenthesis and are no alias there. */
  private static final Set<String> AFTER_PARENTHESIS =
      Set.of("END", "ROWS", "RANGE", "VARYING", "PRECISION", "LOCAL");

  /** Functions whose first argument is a unit. */
  private static final Set<String> UNIT_FUNCTIONS =
      Set.of("EXTRACT", "TIMESTAMPADD", "TIMESTAMPDIFF");

  private static final Set<String> OPERAND_FOLLOWS =
      Words.of(
          """
          ILIKE
          SELECT DISTINCT ALL WHERE AND OR NOT ON HAVING BY WHEN THEN ELSE CASE BETWEEN LIKE
          FROM QUALIFY
          """);

  private static final Set<String> BEHIND_OPERAND =
      Words.of(
          """
          FROM AS AND OR IS IN NOT LIKE ILIKE BETWEEN WHEN THEN ELSE END ASC DESC NULLS
          WHERE GROUP HAVING ORDER LIMIT OFFSET FETCH UNION INTERSECT EXCEPT MINUS WINDOW
          QUALIFY JOIN INNER LEFT RIGHT FULL CROSS NATURAL ON SIMILAR RLIKE ESCAPE COLLATE
          AT FOR ROWS RANGE TO USING MULTISET
          """);

  private static final Set<String> SYMBOLS_BEFORE =
      Set.of(
          "(", ",", "=", "==", "<", ">", "<=", ">=", "<>", "!=", "+", "-", "*", "/", "%", "||",
          "=>", "[");

  private static final Set<String> SYMBOLS_BEHIND =
      Set.of(
          ")", ",", "=", "==", "<", ">", "<=", ">=", "<>", "!=", "+", "-", "*", "/", "%", "||", ".",
          "[", "]", "::");

  private final TokenTree tree;

  ReservedWords(TokenTree tree) {
    this.tree = tree;
  }

  /** Whether the word at an index can only be a column, alias or field. */
  boolean isColumn(int index) {
    SqlToken token = tree.token(index);
    if (!token.isOneOf(COLUMN_NAMES) || tree.symbol(index + 1, "(")) {
      return false;
    }
    if (tree.symbol(index - 1, ".")) {
      return true;
    }
    if (tree.keyword(index - 1, "AS")) {
      return !isTyped(index) && !tree.text(index + 1);
    }
    if (tree.symbol(index - 1, ")") && !token.isOneOf(AFTER_PARENTHESIS)) {
      return tree.symbol(index + 1, ",") || tree.keyword(index + 1, "FROM");
    }
    return operandMayStand(index)
        && goesOnBehind(index)
        && !isTyped(index)
        && !isUnit(index)
        && !isEndOfJsonClause(index);
  }

  private boolean operandMayStand(int index) {
    return index == 0
        || tree.token(index - 1).kind() == SqlToken.Kind.SYMBOL
            && SYMBOLS_BEFORE.contains(tree.token(index - 1).text())
        || tree.keyword(index - 1, OPERAND_FOLLOWS);
  }

  private boolean goesOnBehind(int index) {
    if (index + 1 == tree.size()) {
      return true;
    }
    SqlToken next = tree.token(index + 1);
    return switch (next.kind()) {
      case SYMBOL -> SYMBOLS_BEHIND.contains(next.text());
      case QUOTED_NAME -> true;
      case WORD -> next.isOneOf(BEHIND_OPERAND) || isPlainAlias(next);
      case STRING, DOUBLE_QUOTED, NUMBER, HINT -> false;
    };
  }

  private static boolean isPlainAlias(SqlToken next) {
    return !next.isOneOf(COLUMN_NAMES)
        && !next.isOneOf(OPERAND_FOLLOWS)
        && !next.isOneOf(
            Words.of(
                """
          NULL TRUE FALSE SETS ROW ARRAY MAP INTERVAL OF
          """));
  }

  /** Whether the index lies in the type of a CAST. */
  boolean isTyped(int index) {
    int open = tree.enclosing(index);
    while (open >= 0) {
      if (tree.keyword(open - 1, Set.of("CAST", "TRY_CAST"))) {
        int as = tree.find(new TokenTree.Range(open + 1, tree.match(open)), Set.of("AS"));
        return as >= 0 && as < index;
      }
      open = tree.enclosing(open);
    }
    return false;
  }

  private boolean isUnit(int index) {
    return tree.token(index).isOneOf(UNITS)
        && tree.symbol(index - 1, "(")
        && tree.keyword(index - 2, UNIT_FUNCTIONS);
  }

  /** {@code JSON_QUERY(.. NULL ON EMPTY)}. */
  private boolean isEndOfJsonClause(int index) {
    return tree.token(index).is("EMPTY") && tree.keyword(index - 1, "ON");
  }
}
