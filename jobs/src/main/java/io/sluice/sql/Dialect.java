package io.sluice.sql;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What must change in a query or expression before Flink understands it, token by token. Everything
 * that is not named here reaches Flink as it stands.
 */
final class Dialect {

  private static final Set<String> WITHOUT_PARENTHESES =
      Set.of("CURRENT_DATE", "CURRENT_TIME", "CURRENT_TIMESTAMP", "LOCALTIME", "LOCALTIMESTAMP");

  private static final Map<String, String> OPERATORS = Map.of("==", "=", "!=", "<>");

  private final TokenTree tree;
  private final List<FoundSource> sources;
  private final ReservedWords reserved;
  private final Map<Integer, Rewrite> rewrites = new HashMap<>();
  private final Map<Integer, Rewrite.Cast> casts = new HashMap<>();

  private Dialect(TokenTree tree, List<FoundSource> sources) {
    this.tree = tree;
    this.sources = sources;
    this.reserved = new ReservedWords(tree);
  }

  /**
   * @param sources runs of tokens that are replaced anyhow
   */
  static Dialect of(TokenTree tree, List<FoundSource> sources) {
    Dialect dialect = new Dialect(tree, sources);
    dialect.read();
    return dialect;
  }

  /** Rewrites by their first token. */
  Map<Integer, Rewrite> rewrites() {
    return rewrites;
  }

  /** Casts by the first token of their operand; another rewrite may begin at the same token. */
  Map<Integer, Rewrite.Cast> casts() {
    return casts;
  }

  private void read() {
    int source = 0;
    for (int i = 0; i < tree.size(); i++) {
      if (source < sources.size() && sources.get(source).from() == i) {
        i = sources.get(source++).to() - 1;
      } else {
        translate(i);
      }
    }
  }

  private void translate(int i) {
    SqlToken token = tree.token(i);
    switch (token.kind()) {
      case DOUBLE_QUOTED -> replace(i, i + 1, SqlToken.singleQuote(token.content()));
      case SYMBOL -> operator(i, token);
      case WORD, QUOTED_NAME -> {
        if (!qualifier(i) && token.kind() == SqlToken.Kind.WORD && !function(i)) {
          if (reserved.isColumn(i)) {
            replace(i, i + 1, SqlToken.backQuote(token.text()));
          }
        }
      }
      case STRING, NUMBER, HINT -> {}
    }
  }

  private void replace(int from, int to, String text) {
    rewrites.put(from, new Rewrite.Text(to, text));
  }

  private void operator(int i, SqlToken token) {
    if (OPERATORS.containsKey(token.text())) {
      replace(i, i + 1, OPERATORS.get(token.text()));
    } else if (token.text().equals("::")) {
      cast(i);
    }
  }

  private boolean function(int i) {
    SqlToken token = tree.token(i);
    if (!tree.symbol(i + 1, "(") || tree.symbol(i - 1, ".")) {
      return false;
    }
    if (token.isOneOf(WITHOUT_PARENTHESES) && tree.match(i + 1) == i + 2) {
      replace(i, i + 3, token.upper());
      return true;
    }
    if (token.is("STRUCT") && !reserved.isTyped(i)) {
      replace(i, i + 1, "ROW");
      return true;
    }
    return (token.is("DATE_ADD") || token.is("DATE_SUB")) && dateShift(i);
  }

  private boolean dateShift(int i) {
    int close = tree.match(i + 1);
    List<TokenTree.Range> arguments = tree.split(new TokenTree.Range(i + 2, close));
    if (arguments.size() != 2 || arguments.stream().anyMatch(range -> range.size() == 0)) {
      return false;
    }
    boolean back = tree.token(i).is("DATE_SUB");
    rewrites.put(i, new Rewrite.DateShift(close + 1, arguments.get(0), arguments.get(1), back));
    return true;
  }

  /** Casts a name, a literal, a call or a parenthesis to a type of one word; others are left. */
  private void cast(int i) {
    int from = operandStart(i - 1);
    if (from < 0 || casts.containsKey(from) || !tree.name(i + 1)) {
      return;
    }
    int to = tree.symbol(i + 2, "(") ? tree.match(i + 2) + 1 : i + 2;
    boolean more = tree.symbol(to, "<") || tree.symbol(to, "::") || tree.symbol(from - 1, "::");
    if (!more) {
      String type = tree.text(new TokenTree.Range(i + 1, to));
      casts.put(from, new Rewrite.Cast(to, new TokenTree.Range(from, i), type));
    }
  }

  private int operandStart(int last) {
    if (last < 0) {
      return -1;
    }
    int start = last;
    if (tree.symbol(last, ")")) {
      start = tree.match(last);
      if (!tree.name(start - 1) || isBeforeParenthesis(start - 1)) {
        return start;
      }
      start--;
    } else if (tree.token(last).kind() == SqlToken.Kind.SYMBOL) {
      return -1;
    }
    while (tree.symbol(start - 1, ".") && tree.name(start - 2)) {
      start -= 2;
    }
    return start;
  }

  /** Words that may stand before a parenthesis without calling anything. */
  private boolean isBeforeParenthesis(int index) {
    return tree.keyword(
        index,
        Words.of(
            """
          AND OR NOT SELECT WHERE ON HAVING BY WHEN THEN ELSE CASE BETWEEN LIKE IN DISTINCT
          """));
  }

  /**
   * Shortens {@code db.orders.id} to {@code orders.id} where db.orders was replaced, and gives
   * {@code ORDERS.id} the spelling of the alias that stands for the table.
   */
  private boolean qualifier(int i) {
    if (tree.symbol(i - 1, ".")) {
      return false;
    }
    List<String> chain = tree.parts(i, tree.endOfName(i));
    boolean star = tree.symbol(tree.endOfName(i), ".");
    for (FoundSource source : sources) {
      int length = source.rawParts().size();
      boolean longer = chain.size() > length || star && chain.size() == length;
      if (source.alias().isPresent() && longer && equal(chain, source.rawParts(), length)) {
        Optional<String> alias = source.alias();
        replace(i, i + 2 * length - 1, SqlToken.backQuote(alias.get()));
        return true;
      }
    }
    return false;
  }

  private static boolean equal(List<String> chain, List<String> name, int length) {
    for (int part = 0; part < length; part++) {
      if (!chain.get(part).equalsIgnoreCase(name.get(part))) {
        return false;
      }
    }
    return true;
  }
}
