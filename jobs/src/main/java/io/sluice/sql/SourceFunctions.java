package io.sluice.sql;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.Problem;
import io.sluice.errors.SourceLocation;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The table functions that Sluice itself provides, and their arguments. */
final class SourceFunctions {

  private static final String READ_FILES = "read_files";

  private static final List<String> KNOWN =
      List.of(
          READ_FILES,
          "read_kafka",
          "table_changes",
          "scd2_changes",
          "list_files",
          "last_snapshot_version",
          "current_snapshot_version");

  private final TokenTree tree;
  private final SourceReader reader;
  private final List<Problem> problems;

  SourceFunctions(TokenTree tree, SourceReader reader, List<Problem> problems) {
    this.tree = tree;
    this.reader = reader;
    this.problems = problems;
  }

  static List<String> known() {
    return KNOWN;
  }

  static boolean isKnown(String name) {
    return KNOWN.contains(name.toLowerCase(Locale.ROOT));
  }

  /** An argument and the tokens of its value. */
  private record Parsed(SourceReference.Argument argument, TokenTree.Range value) {

    boolean is(String name) {
      return argument.name().filter(name::equalsIgnoreCase).isPresent();
    }
  }

  /** The call whose name and '(' stand at the given indexes. */
  SourceReference read(SourceLocation at, int name, int open, boolean stream) {
    String function = tree.token(name).text().toLowerCase(Locale.ROOT);
    List<Parsed> arguments = new ArrayList<>();
    for (TokenTree.Range range : tree.split(new TokenTree.Range(open + 1, tree.match(open)))) {
      if (range.size() == 0) {
        reader.problem(
            range.to(),
            "an argument of " + function + " is missing",
            "Remove the comma, or write the argument");
      } else {
        arguments.add(argument(function, range));
      }
    }
    refuseRepeated(arguments);
    return function.equals(READ_FILES)
        ? readFiles(at, name, arguments, stream)
        : new SourceReference.FunctionReference(
            at, function, arguments.stream().map(Parsed::argument).toList(), stream);
  }

  private Parsed argument(String function, TokenTree.Range range) {
    int first = range.from();
    int arrow = tree.name(first) ? tree.endOfName(first) : first + 1;
    boolean named = arrow < range.to() && tree.symbol(arrow, "=>");
    Optional<String> name =
        named ? Optional.of(reader.literal(new TokenTree.Range(first, arrow))) : Optional.empty();
    TokenTree.Range value = named ? new TokenTree.Range(arrow + 1, range.to()) : range;
    if (value.size() == 0) {
      reader.problem(
          first,
          "the option " + name.orElse("") + " of " + function + " has no value",
          "Write " + name.orElse("name") + " => value");
      OptionValue missing = new OptionValue(tree.token(first).at(), "");
      return new Parsed(new SourceReference.Argument(name, missing, Optional.empty()), range);
    }
    OptionValue content = new OptionValue(tree.token(value.from()).at(), reader.literal(value));
    return new Parsed(new SourceReference.Argument(name, content, table(value)), value);
  }

  private Optional<SourceReference.TableReference> table(TokenTree.Range value) {
    if (!tree.keyword(value.from(), "TABLE") || !reader.canBegin(value.from() + 1)) {
      return Optional.empty();
    }
    return reader
        .read(value.from() + 1)
        .map(FoundSource::reference)
        .filter(SourceReference.TableReference.class::isInstance)
        .map(SourceReference.TableReference.class::cast);
  }

  private void refuseRepeated(List<Parsed> arguments) {
    Set<String> seen = new HashSet<>();
    for (Parsed parsed : arguments) {
      Optional<String> name = parsed.argument().name();
      if (name.isPresent() && !seen.add(name.get().toLowerCase(Locale.ROOT))) {
        problems.add(
            Problem.at(
                parsed.argument().value().at(),
                ErrorCode.DUPLICATE_CLAUSE,
                "the option " + name.get() + " is written twice",
                "Keep one of them"));
      }
    }
  }

  private SourceReference readFiles(
      SourceLocation at, int name, List<Parsed> arguments, boolean stream) {
    Map<String, OptionValue> options = new LinkedHashMap<>();
    String path = null;
    for (int i = 0; i < arguments.size(); i++) {
      Parsed parsed = arguments.get(i);
      SourceReference.Argument argument = parsed.argument();
      boolean first = argument.name().isEmpty() && i == 0;
      boolean literal = parsed.value().size() == 1 && tree.text(parsed.value().from());
      if ((first || parsed.is("path")) && literal) {
        path = argument.value().text();
      } else if (argument.name().isPresent() && !parsed.is("path")) {
        options.put(argument.name().get(), argument.value());
      } else if (!first && !parsed.is("path")) {
        problems.add(
            Problem.at(
                argument.value().at(),
                ErrorCode.SYNTAX,
                "an option of read_files has no name: '" + argument.value().text() + "'",
                "Write name => value, for example format => 'json'"));
      }
    }
    if (path == null) {
      reader.problem(
          name,
          "read_files has no path in quotes as its first argument",
          "Write read_files('path or glob', format => 'json')");
    }
    return new SourceReference.ReadFiles(at, path == null ? "" : path, options, stream);
  }
}
