package io.sluice.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A query of the form SELECT list FROM source [alias] [WHERE condition], whose rows correspond one
 * to one to rows of its only source. Aggregate functions in the list cannot be told from others
 * here.
 */
public final class PlainSelect {

  private static final Set<String> MORE =
      Words.of(
          """
          GROUP HAVING WINDOW QUALIFY ORDER LIMIT OFFSET FETCH UNION INTERSECT EXCEPT MINUS
          JOIN SELECT DISTINCT ALL WITH
          """);

  private final Query query;
  private final int from;
  private final List<TokenTree.Range> stars;

  private PlainSelect(Query query, int from, List<TokenTree.Range> stars) {
    this.query = query;
    this.from = from;
    this.stars = stars;
  }

  static Optional<PlainSelect> of(Query query, TokenTree tree, List<FoundSource> sources) {
    if (sources.size() != 1 || !tree.keyword(0, "SELECT")) {
      return Optional.empty();
    }
    FoundSource source = sources.get(0);
    int from = source.from() - 1;
    TokenTree.Range all = tree.all();
    boolean onTop = tree.keyword(from, "FROM") && tree.enclosing(from) < 0;
    if (!onTop || holdsMore(tree)) {
      return Optional.empty();
    }
    int end = behindAlias(tree, source.to());
    if (end < all.to() && !tree.keyword(end, "WHERE")) {
      return Optional.empty();
    }
    return Optional.of(new PlainSelect(query, from, stars(tree, new TokenTree.Range(1, from))));
  }

  private static boolean holdsMore(TokenTree tree) {
    ReservedWords reserved = new ReservedWords(tree);
    for (int i = 1; i < tree.size(); i++) {
      if (tree.enclosing(i) < 0 && tree.keyword(i, MORE) && !reserved.isColumn(i)) {
        return true;
      }
    }
    return false;
  }

  private static int behindAlias(TokenTree tree, int start) {
    int end = start;
    while (end < tree.size() && tree.token(end).kind() == SqlToken.Kind.HINT) {
      end++;
    }
    if (tree.keyword(end, "AS")) {
      end++;
    }
    return tree.name(end) && !tree.keyword(end, "WHERE") ? end + 1 : end;
  }

  private static List<TokenTree.Range> stars(TokenTree tree, TokenTree.Range list) {
    List<TokenTree.Range> stars = new ArrayList<>();
    for (TokenTree.Range item : tree.split(list)) {
      int last = item.to() - 1;
      boolean whole =
          item.size() == 1
              || item.size() > 2
                  && tree.symbol(last - 1, ".")
                  && tree.endOfName(item.from()) == last - 1;
      if (tree.symbol(last, "*") && whole) {
        stars.add(item);
      }
    }
    return stars;
  }

  /** Whether each row is made of one row of the source alone: no window function looks at more. */
  public boolean isRowByRow() {
    return !query.mentions("OVER");
  }

  /** The only source. */
  public SourceReference source() {
    return query.sources().get(0);
  }

  /**
   * The query as Flink SQL with a longer select list.
   *
   * @param replacement as in {@link Query#render}
   * @param starColumns names of the columns that {@code *} and {@code alias.*} stand for
   * @param extraColumns names of columns of the source to add to the end of the list
   */
  public RenderedSql renderWith(
      Function<SourceReference, String> replacement,
      List<String> starColumns,
      List<String> extraColumns) {
    Renderer renderer = query.renderer(replacement);
    String expanded =
        starColumns.stream().map(SqlToken::backQuote).collect(Collectors.joining(", "));
    for (TokenTree.Range star : stars) {
      renderer.rewrite(star.from(), new Rewrite.Text(star.to(), expanded));
    }
    for (String extra : extraColumns) {
      renderer.insert(from, ", " + SqlToken.backQuote(extra));
    }
    return renderer.render();
  }
}
