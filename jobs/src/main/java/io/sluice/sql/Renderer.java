package io.sluice.sql;

import io.sluice.errors.SourceLocation;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** Writes tokens as Flink SQL: sources replaced, dialect translated, places kept. */
final class Renderer {

  private final TokenTree tree;
  private final Map<Integer, Rewrite> rewrites;
  private final Map<Integer, Rewrite.Cast> casts;
  private final Set<Integer> castsBegun = new HashSet<>();
  private final Map<Integer, FoundSource> sources = new HashMap<>();
  private final Map<Integer, String> insertions = new HashMap<>();
  private final Function<SourceReference, String> replacement;
  private final RenderedSql.Builder out = new RenderedSql.Builder();

  Renderer(
      TokenTree tree,
      Dialect dialect,
      Iterable<FoundSource> sources,
      Function<SourceReference, String> replacement) {
    this.tree = tree;
    this.rewrites = new HashMap<>(dialect.rewrites());
    this.casts = dialect.casts();
    this.replacement = replacement;
    for (FoundSource source : sources) {
      this.sources.put(source.from(), source);
      source
          .alias()
          .ifPresent(alias -> insert(source.aliasAt(), " AS " + SqlToken.backQuote(alias)));
    }
  }

  /** Puts text in front of a token, behind the one before it. */
  void insert(int index, String text) {
    insertions.merge(index, text, String::concat);
  }

  void rewrite(int from, Rewrite rewrite) {
    rewrites.put(from, rewrite);
  }

  RenderedSql render() {
    write(tree.all());
    return out.build();
  }

  private void write(TokenTree.Range range) {
    boolean first = true;
    int i = range.from();
    while (i < range.to()) {
      i = write(i, first);
      first = false;
      String insertion = insertions.get(i);
      if (insertion != null) {
        out.append(insertion);
      }
    }
  }

  /** Writes what begins at a token; gives the token behind it. */
  private int write(int i, boolean first) {
    SqlToken token = tree.token(i);
    String gap = first ? "" : token.gap().text();
    SourceLocation at = token.at();
    Rewrite.Cast cast = casts.get(i);
    if (cast != null && castsBegun.add(i)) {
      out.append(gap);
      out.append("CAST(", at);
      write(cast.operand());
      out.append(" AS " + cast.type() + ")");
      return cast.to();
    }
    FoundSource source = sources.get(i);
    if (source != null) {
      out.append(gap);
      out.append(replacement.apply(source.reference()), at);
      return source.to();
    }
    Rewrite rewrite = rewrites.get(i);
    if (rewrite != null) {
      write(rewrite, gap, at);
      return rewrite.to();
    }
    out.append(gap);
    out.append(token.text(), at);
    return i + 1;
  }

  private void write(Rewrite rewrite, String gap, SourceLocation at) {
    out.append(gap);
    if (rewrite instanceof Rewrite.Text text) {
      out.append(text.text(), at);
    } else if (rewrite instanceof Rewrite.DateShift shift) {
      out.append(shift.back() ? "TIMESTAMPADD(DAY, -(" : "TIMESTAMPADD(DAY, ", at);
      write(shift.days());
      out.append(shift.back() ? "), CAST(" : ", CAST(");
      write(shift.date());
      out.append(" AS DATE))");
    } else {
      throw new IllegalStateException("a cast is written before its operand");
    }
  }
}
