package io.sluice.sql;

import io.sluice.errors.Problem;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Finds what a query reads, without a grammar of queries: a FROM is a clause if a SELECT stands
 * before it in the same parenthesis and it does not end IS DISTINCT FROM; in its list a source
 * follows FROM, JOIN and each comma. Everything else in parentheses is searched the same way.
 */
final class SourceFinder {

  private static final Set<String> CLAUSES =
      Words.of(
          """
          WHERE GROUP HAVING WINDOW QUALIFY ORDER LIMIT OFFSET FETCH UNION INTERSECT EXCEPT
          MINUS VALUES SELECT
          """);
  private static final Set<String> QUERY_STARTS = Set.of("SELECT", "WITH", "VALUES", "TABLE");
  private static final Set<String> NO_SOURCE = Set.of("LATERAL", "UNNEST", "TABLE");

  private final TokenTree tree;
  private final SourceReader reader;
  private final List<FoundSource> found = new ArrayList<>();
  private final Map<Integer, String> respelled = new HashMap<>();

  SourceFinder(TokenTree tree, List<Problem> problems) {
    this.tree = tree;
    this.reader = new SourceReader(tree, problems);
  }

  SourceFinder search() {
    parenthesis(tree.all(), Map.of(), false);
    return this;
  }

  /** The references in the order of the text. */
  List<FoundSource> found() {
    return List.copyOf(found);
  }

  /**
   * Token index to text: references to common table expressions whose case differs, since Flink
   * tells names apart by case.
   */
  Map<Integer, String> respelled() {
    return Map.copyOf(respelled);
  }

  /**
   * @param names common table expressions in sight, by lower-case name
   * @param joins whether the parenthesis encloses a list of sources, as in FROM (a JOIN b ..)
   */
  private void parenthesis(TokenTree.Range range, Map<String, String> names, boolean joins) {
    boolean selects = false;
    boolean sourceList = joins;
    boolean sourceNext = joins;
    Map<String, String> visible = new HashMap<>(names);
    int i = commonTables(range, visible);
    while (i < range.to()) {
      if (sourceNext) {
        sourceNext = false;
        int behind = source(i, visible);
        if (behind > i) {
          i = behind;
          continue;
        }
      }
      if (tree.opens(i)) {
        parenthesis(new TokenTree.Range(i + 1, tree.match(i)), visible, false);
        i = tree.match(i);
      } else if (sourceList && (tree.symbol(i, ",") || tree.keyword(i, "JOIN"))) {
        sourceNext = true;
      } else if (selects && tree.keyword(i, "FROM") && !endsDistinct(i)) {
        sourceList = true;
        sourceNext = true;
      } else if (tree.keyword(i, "TABLE") && tree.name(i + 1)) {
        i = tableArgument(i, visible) - 1;
      } else if (tree.keyword(i, CLAUSES)) {
        selects |= tree.token(i).is("SELECT");
        sourceList = false;
      }
      i++;
    }
  }

  private boolean endsDistinct(int from) {
    return tree.keyword(from - 1, "DISTINCT")
        && (tree.keyword(from - 2, "IS") || tree.keyword(from - 2, "NOT"));
  }

  /** Reads WITH name AS (..), ..; anything malformed is left to Flink. */
  private int commonTables(TokenTree.Range range, Map<String, String> visible) {
    int i = range.from();
    if (!tree.keyword(i, "WITH")) {
      return i;
    }
    boolean recursive = tree.keyword(i + 1, "RECURSIVE");
    i += recursive ? 2 : 1;
    while (tree.name(i)) {
      String name = tree.token(i).name();
      int as = tree.symbol(i + 1, "(") ? tree.match(i + 1) + 1 : i + 1;
      if (!tree.keyword(as, "AS") || !tree.symbol(as + 1, "(")) {
        return i;
      }
      if (recursive) {
        visible.put(name.toLowerCase(Locale.ROOT), name);
      }
      int close = tree.match(as + 1);
      parenthesis(new TokenTree.Range(as + 2, close), visible, false);
      visible.put(name.toLowerCase(Locale.ROOT), name);
      i = close + 1;
      if (!tree.symbol(i, ",")) {
        return i;
      }
      i++;
    }
    return i;
  }

  /** Index behind the source that begins at an index; the index itself if nothing was consumed. */
  private int source(int i, Map<String, String> visible) {
    if (tree.symbol(i, "(")) {
      TokenTree.Range inside = new TokenTree.Range(i + 1, tree.match(i));
      parenthesis(inside, visible, !tree.keyword(i + 1, QUERY_STARTS));
      return tree.match(i) + 1;
    }
    if (!reader.canBegin(i) || tree.keyword(i, NO_SOURCE)) {
      return i;
    }
    int end = tree.endOfName(i);
    if (end == i + 1 && !tree.symbol(end, "(") && isCommonTable(i, visible)) {
      return end;
    }
    return reader.read(i).map(source -> add(reader.withAlias(source))).orElse(end);
  }

  private boolean isCommonTable(int i, Map<String, String> visible) {
    SqlToken token = tree.token(i);
    String spelled = visible.get(token.name().toLowerCase(Locale.ROOT));
    if (spelled == null || token.is("STREAM") && reader.canBegin(i + 1)) {
      return false;
    }
    if (!spelled.equals(token.name())) {
      respelled.put(i, SqlToken.backQuote(spelled));
    }
    return true;
  }

  /** {@code TABLE t} as a query or as argument of a table function. */
  private int tableArgument(int table, Map<String, String> visible) {
    int i = table + 1;
    if (tree.endOfName(i) == i + 1 && isCommonTable(i, visible)) {
      return i + 1;
    }
    return reader.read(i).map(this::add).orElse(i);
  }

  private int add(FoundSource source) {
    found.add(source);
    return source.to();
  }
}
