package io.sluice.sql;

import io.sluice.errors.Problem;
import io.sluice.errors.SluiceException;
import io.sluice.errors.SourceLocation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A scalar expression or condition as tokens. */
public final class SqlExpression {

  private final TokenTree tree;

  private SqlExpression(TokenTree tree) {
    this.tree = tree;
  }

  /**
   * An expression that does not come from a file.
   *
   * @throws SluiceException with every problem of its text
   */
  public static SqlExpression parse(String text) {
    return InlineText.parse(text, SqlExpression::of);
  }

  /**
   * An expression that stands in another program.
   *
   * @param at its place there, to which all problems are attributed
   * @throws SluiceException with every problem of its text
   */
  public static SqlExpression parse(String text, SourceLocation at) {
    return InlineText.parse(text, at, SqlExpression::of);
  }

  /** Adds what is wrong with the expression to the problems; usable if there were none. */
  static SqlExpression of(List<SqlToken> tokens, List<Problem> problems) {
    int before = problems.size();
    SqlExpression expression = new SqlExpression(TokenTree.of(tokens, problems));
    if (problems.size() == before) {
      DebeziumSequence.check(expression.tree, problems);
    }
    return expression;
  }

  /** Place of its first token. */
  public SourceLocation at() {
    return tree.token(0).at();
  }

  /** The expression as Flink SQL; a struct as ROW(..) of its fields without their aliases. */
  public RenderedSql render() {
    Optional<List<StructField>> fields = structFields();
    if (fields.isPresent()) {
      RenderedSql.Builder row = new RenderedSql.Builder();
      row.append("ROW(", at());
      String separator = "";
      for (StructField field : fields.get()) {
        row.append(separator);
        row.append(field.expression().render());
        separator = ", ";
      }
      row.append(")");
      return row.build();
    }
    return new Renderer(tree, Dialect.of(tree, List.of()), List.of(), source -> "").render();
  }

  /**
   * The fields of {@code STRUCT(a, b)}, {@code ROW(a, b)} or {@code (a, b)}, if that is the whole
   * expression; those that {@code debezium_sequence} stands for in its place.
   */
  public Optional<List<StructField>> structFields() {
    if (DebeziumSequence.isCall(tree, tree.all())) {
      return Optional.of(DebeziumSequence.fields(tree, tree.all()));
    }
    boolean named = tree.keyword(0, Set.of("STRUCT", "ROW"));
    int open = named ? 1 : 0;
    if (!tree.symbol(open, "(") || tree.match(open) != tree.size() - 1) {
      return Optional.empty();
    }
    List<TokenTree.Range> ranges = tree.split(new TokenTree.Range(open + 1, tree.size() - 1));
    boolean query = tree.keyword(open + 1, Set.of("SELECT", "WITH", "VALUES"));
    boolean empty = ranges.isEmpty() || ranges.stream().anyMatch(range -> range.size() == 0);
    if (query || empty || !named && ranges.size() < 2) {
      return Optional.empty();
    }
    List<StructField> fields = new ArrayList<>();
    for (TokenTree.Range range : ranges) {
      if (DebeziumSequence.isCall(tree, range)) {
        fields.addAll(DebeziumSequence.fields(tree, range));
      } else {
        fields.add(field(range, fields.size() + 1));
      }
    }
    return Optional.of(List.copyOf(fields));
  }

  private StructField field(TokenTree.Range range, int position) {
    boolean aliased =
        range.size() > 2 && tree.keyword(range.to() - 2, "AS") && tree.name(range.to() - 1);
    TokenTree.Range value = aliased ? new TokenTree.Range(range.from(), range.to() - 2) : range;
    SqlExpression expression =
        new SqlExpression(TokenTree.of(tree.tokens(value), new ArrayList<>()));
    if (aliased) {
      return new StructField(tree.token(range.to() - 1).name(), expression);
    }
    return new StructField(expression.columnName().orElse("col" + position), expression);
  }

  /** The name of the column or field if the expression is nothing but one, maybe qualified. */
  public Optional<String> columnName() {
    boolean column =
        tree.name(0)
            && tree.endOfName(0) == tree.size()
            && !tree.keyword(
                0, Set.of("NULL", "TRUE", "FALSE", "CURRENT_DATE", "CURRENT_TIMESTAMP"));
    return column ? Optional.of(tree.token(tree.size() - 1).name()) : Optional.empty();
  }

  /** Whether its order is that of a preset, whatever the types of its fields are. */
  public boolean isPreset() {
    return mentions("debezium_sequence");
  }

  /** The place of the first query inside the expression, if it holds one. */
  public Optional<SourceLocation> queryAt() {
    for (int i = 1; i < tree.size(); i++) {
      if (tree.symbol(i - 1, "(") && tree.keyword(i, Set.of("SELECT", "WITH", "VALUES", "TABLE"))) {
        return Optional.of(tree.token(i).at());
      }
    }
    return tree.keyword(0, Set.of("SELECT")) ? Optional.of(at()) : Optional.empty();
  }

  /** Whether a name occurs anywhere; case is ignored. */
  public boolean mentions(String identifier) {
    return tree.tokens().stream()
        .anyMatch(token -> token.isName() && token.name().equalsIgnoreCase(identifier));
  }

  /** The expression as written, white space reduced. */
  @Override
  public String toString() {
    return tree.text(tree.all());
  }

  TokenTree tree() {
    return tree;
  }
}
