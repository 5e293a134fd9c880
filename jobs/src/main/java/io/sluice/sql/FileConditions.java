package io.sluice.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Finds the {@link FileCondition}s of a query: parts of the AND of its WHERE, where it reads one
 * read_files and nothing beside it. What is not surely such a part is left alone, which costs
 * reading files and changes no result.
 */
final class FileConditions {

  /** A query with one of these has rows that the WHERE does not decide about. */
  private static final Set<String> OTHER_ROWS =
      Words.of("UNION INTERSECT EXCEPT MINUS JOIN WITH TABLE VALUES");

  private static final Set<String> BEHIND_WHERE =
      Words.of("GROUP HAVING WINDOW QUALIFY ORDER LIMIT OFFSET FETCH");

  /** With one of these not every AND joins two conditions. */
  private static final Set<String> NO_PLAIN_AND = Words.of("OR BETWEEN CASE");

  private final TokenTree tree;
  private Optional<String> alias = Optional.empty();

  private FileConditions(TokenTree tree) {
    this.tree = tree;
  }

  static List<FileCondition> of(TokenTree tree, List<FoundSource> sources) {
    return new FileConditions(tree).find(sources);
  }

  private List<FileCondition> find(List<FoundSource> sources) {
    List<FileCondition> found = new ArrayList<>();
    int from = tree.find(tree.all(), Set.of("FROM"));
    if (!tree.keyword(0, "SELECT") || from < 0 || tree.find(tree.all(), OTHER_ROWS) >= 0) {
      return found;
    }
    for (FoundSource source : sources) {
      if (source.from() == from + 1
          && source.reference() instanceof SourceReference.ReadFiles files) {
        int where = behindAlias(source.to());
        if (tree.keyword(where, "WHERE")) {
          conditions(where + 1).forEach(range -> read(files, range).ifPresent(found::add));
        }
      }
    }
    return found;
  }

  private int behindAlias(int start) {
    int name = tree.keyword(start, "AS") ? start + 1 : start;
    if (!tree.name(name) || tree.keyword(name, "WHERE")) {
      return start;
    }
    alias = Optional.of(tree.token(name).name());
    return name + 1;
  }

  private List<TokenTree.Range> conditions(int start) {
    int behind = tree.find(new TokenTree.Range(start, tree.size()), BEHIND_WHERE);
    TokenTree.Range all = new TokenTree.Range(start, behind < 0 ? tree.size() : behind);
    List<TokenTree.Range> parts = new ArrayList<>();
    if (tree.find(all, NO_PLAIN_AND) >= 0) {
      return parts;
    }
    int next = start;
    while (next <= all.to()) {
      int and = tree.find(new TokenTree.Range(next, all.to()), Set.of("AND"));
      int end = and < 0 ? all.to() : and;
      parts.add(new TokenTree.Range(next, end));
      next = end + 1;
    }
    return parts;
  }

  private Optional<FileCondition> read(SourceReference.ReadFiles files, TokenTree.Range range) {
    for (int i = range.from() + 1; i < range.to(); i++) {
      if (tree.enclosing(i) < 0 && (tree.symbol(i, "=") || tree.symbol(i, "=="))) {
        TokenTree.Range left = new TokenTree.Range(range.from(), i);
        TokenTree.Range right = new TokenTree.Range(i + 1, range.to());
        return equation(files, left, right).or(() -> equation(files, right, left));
      }
    }
    return Optional.empty();
  }

  private Optional<FileCondition> equation(
      SourceReference.ReadFiles files, TokenTree.Range field, TokenTree.Range value) {
    Optional<String> name = metadataField(field);
    if (name.isEmpty()) {
      return Optional.empty();
    }
    if (value.size() == 1 && tree.text(value.from())) {
      String text = tree.token(value.from()).content();
      return Optional.of(new FileCondition(files, name.get(), Optional.of(text)));
    }
    return isVersion(value)
        ? Optional.of(new FileCondition(files, name.get(), Optional.empty()))
        : Optional.empty();
  }

  private Optional<String> metadataField(TokenTree.Range range) {
    if (range.size() == 0
        || !tree.name(range.from())
        || tree.endOfName(range.from()) != range.to()) {
      return Optional.empty();
    }
    List<String> parts = tree.parts(range.from(), range.to());
    boolean qualified =
        parts.size() == 3 && alias.isPresent() && parts.get(0).equalsIgnoreCase(alias.get());
    int metadata = qualified ? 1 : 0;
    return parts.size() == metadata + 2 && parts.get(metadata).equalsIgnoreCase("_metadata")
        ? Optional.of(parts.get(metadata + 1).toLowerCase(Locale.ROOT))
        : Optional.empty();
  }

  /** {@code (SELECT name FROM current_snapshot_version())}. */
  private boolean isVersion(TokenTree.Range range) {
    int at = range.from();
    return range.size() == 8
        && tree.symbol(at, "(")
        && tree.match(at) == range.to() - 1
        && tree.keyword(at + 1, "SELECT")
        && tree.name(at + 2)
        && tree.keyword(at + 3, "FROM")
        && tree.keyword(at + 4, "CURRENT_SNAPSHOT_VERSION")
        && tree.symbol(at + 5, "(")
        && tree.symbol(at + 6, ")");
  }
}
