package io.sluice.sql;

import io.sluice.errors.Problem;
import io.sluice.errors.SluiceException;
import io.sluice.errors.SourceLocation;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * A query as tokens: what it reads is known, everything else is Flink's. Rendering translates the
 * dialect and replaces each source.
 */
public final class Query {

  private final TokenTree tree;
  private final List<FoundSource> sources;
  private final Map<Integer, String> respelled;
  private final Dialect dialect;
  private final Optional<PlainSelect> plain;

  private Query(TokenTree tree, List<FoundSource> sources, Map<Integer, String> respelled) {
    this.tree = tree;
    this.sources = sources;
    this.respelled = respelled;
    this.dialect = Dialect.of(tree, sources);
    this.plain = PlainSelect.of(this, tree, sources);
  }

  /**
   * A query that does not come from a file.
   *
   * @throws SluiceException with every problem of its text
   */
  public static Query parse(String text) {
    return InlineText.parse(text, Query::of);
  }

  /**
   * A query that stands in another program.
   *
   * @param at its place there, to which all problems are attributed
   * @throws SluiceException with every problem of its text
   */
  public static Query parse(String text, SourceLocation at) {
    return InlineText.parse(text, at, Query::of);
  }

  /** Adds what is wrong with the query to the problems; it can be rendered if there were none. */
  static Query of(List<SqlToken> tokens, List<Problem> problems) {
    int before = problems.size();
    TokenTree tree = TokenTree.of(tokens, problems);
    if (problems.size() > before) {
      return new Query(TokenTree.of(tokens.subList(0, 0), problems), List.of(), Map.of());
    }
    SourceFinder finder = new SourceFinder(tree, problems).search();
    return new Query(tree, finder.found(), finder.respelled());
  }

  /** Place of its first token. */
  public SourceLocation at() {
    return tree.token(0).at();
  }

  /** Every source in the order of the text; a table that is read twice appears twice. */
  public List<SourceReference> sources() {
    return sources.stream().map(FoundSource::reference).toList();
  }

  /**
   * The query as Flink SQL.
   *
   * @param replacement gives for each source a table name or a parenthesised query; an unaliased
   *     table keeps its name as alias
   */
  public RenderedSql render(Function<SourceReference, String> replacement) {
    return renderer(replacement).render();
  }

  /** The query in its plain form, if it has one. */
  public Optional<PlainSelect> plain() {
    return plain;
  }

  /**
   * The name of the first result column, as far as the text alone tells: its alias, or the column
   * that it is. A guess that the planner has the last word on.
   */
  public Optional<String> outputColumn() {
    return firstOutput()
        .map(item -> item.to() - 1)
        .filter(tree::name)
        .map(last -> tree.token(last).name());
  }

  /** The type that the first result column is CAST to, as written; empty if it is no CAST. */
  public Optional<String> outputCast() {
    return firstOutput()
        .map(TokenTree.Range::from)
        .filter(cast -> tree.keyword(cast, "CAST") && tree.symbol(cast + 1, "("))
        .map(cast -> new TokenTree.Range(cast + 2, tree.match(cast + 1)))
        .filter(inside -> tree.find(inside, Set.of("AS")) >= 0)
        .map(inside -> new TokenTree.Range(tree.find(inside, Set.of("AS")) + 1, inside.to()))
        .map(tree::text);
  }

  private Optional<TokenTree.Range> firstOutput() {
    TokenTree.Range all = tree.all();
    int select = tree.find(all, Set.of("SELECT"));
    if (select < 0) {
      return Optional.empty();
    }
    int from = tree.find(new TokenTree.Range(select + 1, all.to()), Set.of("FROM"));
    TokenTree.Range list = new TokenTree.Range(select + 1, from < 0 ? all.to() : from);
    return tree.split(list).stream().findFirst().filter(item -> item.size() > 0);
  }

  /** What the query says about the files of the read_files that it reads. */
  public List<FileCondition> fileConditions() {
    return FileConditions.of(tree, sources);
  }

  /** Whether a name occurs anywhere, for example {@code _metadata}; case is ignored. */
  public boolean mentions(String identifier) {
    return tree.tokens().stream()
        .anyMatch(token -> token.isName() && token.name().equalsIgnoreCase(identifier));
  }

  /** The query as written, white space reduced. */
  @Override
  public String toString() {
    return tree.text(tree.all());
  }

  Renderer renderer(Function<SourceReference, String> replacement) {
    Renderer renderer = new Renderer(tree, dialect, sources, replacement);
    respelled.forEach((index, name) -> renderer.rewrite(index, new Rewrite.Text(index + 1, name)));
    return renderer;
  }
}
