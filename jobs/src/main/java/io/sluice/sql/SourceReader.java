package io.sluice.sql;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.Problem;
import io.sluice.errors.SourceLocation;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Reads one source: [STREAM] table or source function, with its options and the place of its alias.
 */
final class SourceReader {

  /** Words that go on behind a source and are therefore no alias and no table. */
  private static final Set<String> GOES_ON =
      Words.of(
          """
          WHERE GROUP HAVING WINDOW QUALIFY ORDER LIMIT OFFSET FETCH UNION INTERSECT EXCEPT
          MINUS JOIN INNER LEFT RIGHT FULL CROSS NATURAL ON USING TABLESAMPLE
          MATCH_RECOGNIZE PIVOT UNPIVOT FOR AS SELECT SET WITH FROM PARTITION VALUES ASOF
          """);

  private static final Set<String> TAKES_ALIAS_LATER =
      Set.of("MATCH_RECOGNIZE", "PIVOT", "UNPIVOT");

  private final TokenTree tree;
  private final List<Problem> problems;

  SourceReader(TokenTree tree, List<Problem> problems) {
    this.tree = tree;
    this.problems = problems;
  }

  boolean canBegin(int index) {
    return tree.name(index) && !tree.keyword(index, GOES_ON);
  }

  /** The source that begins at an index; empty for functions that are not ours. */
  Optional<FoundSource> read(int start) {
    if (tree.keyword(start, "STREAM")) {
      if (tree.symbol(start + 1, "(")) {
        return streamCall(start);
      }
      if (canBegin(start + 1)) {
        return item(start, start + 1, true);
      }
    }
    return item(start, start, false);
  }

  /** {@code STREAM(item)}. */
  private Optional<FoundSource> streamCall(int start) {
    int close = tree.match(start + 1);
    if (!canBegin(start + 2)) {
      problem(
          start,
          "STREAM(..) holds no table and no source function",
          "Write STREAM(table), or put the query in parentheses without STREAM and STREAM into its"
              + " FROM clause");
      return Optional.empty();
    }
    Optional<FoundSource> item = item(start, start + 2, true);
    if (item.isPresent() && item.get().to() != close) {
      problem(
          item.get().to(),
          "found " + tree.token(item.get().to()).shown() + " where ')' was expected in STREAM(..)",
          "STREAM(..) holds one table or source function and nothing else");
    }
    return item.map(found -> widened(found, close + 1));
  }

  /** The same source with the ')' of STREAM(..) and the options that may follow it. */
  private FoundSource widened(FoundSource found, int end) {
    if (found.reference() instanceof SourceReference.TableReference table
        && table.withOptions().isEmpty()) {
      return table(table.at(), table.name(), found.rawParts(), found.from(), end, true);
    }
    return new FoundSource(
        found.reference(), found.from(), end, found.rawParts(), end, Optional.empty());
  }

  private Optional<FoundSource> item(int start, int name, boolean stream) {
    int end = tree.endOfName(name);
    SourceLocation at = tree.token(start).at();
    if (tree.symbol(end, "(")) {
      return function(start, name, end, stream);
    }
    List<String> raw = tree.parts(name, end);
    boolean live = raw.size() > 1 && tree.token(name).is("LIVE");
    QualifiedName table = new QualifiedName(live ? raw.subList(1, raw.size()) : raw);
    return Optional.of(table(at, table, raw, start, end, stream));
  }

  private Optional<FoundSource> function(int start, int name, int open, boolean stream) {
    String function = tree.token(name).text();
    if (open != name + 1 || !SourceFunctions.isKnown(function)) {
      if (stream) {
        problem(
            name,
            "STREAM cannot read the function " + function,
            "STREAM reads tables, views and " + String.join(", ", SourceFunctions.known()));
      }
      return Optional.empty();
    }
    SourceReference reference =
        new SourceFunctions(tree, this, problems).read(tree.token(start).at(), name, open, stream);
    int end = tree.match(open) + 1;
    return Optional.of(new FoundSource(reference, start, end, List.of(), end, Optional.empty()));
  }

  private FoundSource table(
      SourceLocation at, QualifiedName name, List<String> raw, int start, int end, boolean stream) {
    Map<String, String> options = Map.of();
    int behind = end;
    if (tree.keyword(end, "WITH") && tree.symbol(end + 1, "(")) {
      options = options(new TokenTree.Range(end + 2, tree.match(end + 1)));
      behind = tree.match(end + 1) + 1;
    }
    return new FoundSource(
        new SourceReference.TableReference(at, name, stream, options),
        start,
        behind,
        raw,
        behind,
        Optional.empty());
  }

  private Map<String, String> options(TokenTree.Range range) {
    Map<String, String> options = new LinkedHashMap<>();
    for (TokenTree.Range option : tree.split(range)) {
      int equal = option.from();
      while (equal < option.to() && !tree.symbol(equal, "=")) {
        equal++;
      }
      if (equal == option.from() || equal + 1 >= option.to()) {
        problem(
            Math.min(option.from(), tree.size() - 1),
            "an option of WITH (..) is not of the form key = value",
            "Write for example WITH (readChangeFeed = true)");
        continue;
      }
      String key = literal(new TokenTree.Range(option.from(), equal));
      if (options.put(key, literal(new TokenTree.Range(equal + 1, option.to()))) != null) {
        problems.add(
            Problem.at(
                tree.token(option.from()).at(),
                ErrorCode.DUPLICATE_CLAUSE,
                "the option " + key + " is written twice",
                "Keep one of them"));
      }
    }
    return options;
  }

  /** Content of a single string, name without back-quotes, or the text of anything else. */
  String literal(TokenTree.Range range) {
    if (range.size() == 1 && tree.text(range.from())) {
      return tree.token(range.from()).content();
    }
    if (range.size() == 1 && tree.name(range.from())) {
      return tree.token(range.from()).name();
    }
    return tree.text(range);
  }

  /** Adds the table's name as alias where the query gives none; hints and FOR stay before it. */
  FoundSource withAlias(FoundSource source) {
    int at = source.to();
    while (at < tree.size() && tree.token(at).kind() == SqlToken.Kind.HINT) {
      at++;
    }
    if (tree.keyword(at, "FOR") && tree.keyword(at + 1, "SYSTEM_TIME")) {
      at = behindTime(at + 4);
    }
    boolean aliased =
        at < 0
            || tree.keyword(at, "AS")
            || tree.name(at) && !tree.keyword(at, GOES_ON)
            || tree.keyword(at, TAKES_ALIAS_LATER);
    if (aliased || source.rawParts().isEmpty()) {
      return source;
    }
    String name = source.rawParts().get(source.rawParts().size() - 1);
    return new FoundSource(
        source.reference(), source.from(), source.to(), source.rawParts(), at, Optional.of(name));
  }

  /** Behind the moment of FOR SYSTEM_TIME AS OF: a column, a literal or a call; -1 for more. */
  private int behindTime(int start) {
    int end = start;
    if (tree.keyword(start, "TIMESTAMP") && tree.text(start + 1)) {
      end = start + 2;
    } else if (tree.name(start)) {
      end = tree.endOfName(start);
      end = tree.symbol(end, "(") ? tree.match(end) + 1 : end;
    }
    boolean more =
        end < tree.size()
            && tree.token(end).kind() == SqlToken.Kind.SYMBOL
            && !tree.symbol(end, ",")
            && !tree.symbol(end, ")");
    return more || end == start ? -1 : end;
  }

  void problem(int index, String message, String remedy) {
    problems.add(Problem.at(tree.token(index).at(), ErrorCode.SYNTAX, message, remedy));
  }
}
