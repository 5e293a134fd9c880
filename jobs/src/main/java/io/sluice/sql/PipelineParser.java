package io.sluice.sql;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.Problem;
import io.sluice.errors.SluiceException;
import io.sluice.errors.SourceLocation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.antlr.v4.runtime.CommonTokenStream;
import org.antlr.v4.runtime.ListTokenSource;
import org.antlr.v4.runtime.misc.ParseCancellationException;

/** Parses a pipeline file (semantics section 2). */
public final class PipelineParser {

  private final Variables variables;
  private final List<Problem> problems = new ArrayList<>();
  private final List<Statement> statements = new ArrayList<>();

  private PipelineParser(Variables variables) {
    this.variables = variables;
  }

  /**
   * Parses all statements. {@code ${name}} and {@code ${name:-default}} are replaced from the set
   * options, the SET statements above, and the environment, in this order, everywhere but in
   * comments.
   *
   * @param fileName the file as the user named it, for places
   * @param text its content
   * @param setOptions values given with --set
   * @param environment environment variables
   * @throws SluiceException with the problems of all statements, in the order of the text
   */
  public static ParsedPipeline parse(
      String fileName,
      String text,
      Map<String, String> setOptions,
      Map<String, String> environment) {
    PipelineParser parser = new PipelineParser(new Variables(setOptions, environment));
    parser.read(new SourceText(fileName, text));
    if (!parser.problems.isEmpty()) {
      parser.problems.sort(
          Comparator.comparing(
              problem -> problem.where(),
              Comparator.comparingInt(SourceLocation::line)
                  .thenComparingInt(SourceLocation::column)));
      throw new SluiceException(parser.problems);
    }
    return new ParsedPipeline(fileName, parser.statements);
  }

  private void read(SourceText source) {
    SegmentReader segments = new SegmentReader(source, variables, problems);
    while (segments.hasNext()) {
      for (StatementTokens tokens : Tokenizer.statements(segments.next(), problems)) {
        parse(tokens).ifPresent(this::add);
      }
    }
  }

  private void add(Statement statement) {
    if (statement instanceof SetStatement set) {
      variables.set(set.key(), set.value());
    }
    statements.add(statement);
  }

  /** One statement; empty if it does not follow the grammar. */
  private Optional<Statement> parse(StatementTokens tokens) {
    StatementParser parser =
        new StatementParser(new CommonTokenStream(new ListTokenSource(tokens.antlr())));
    FirstError error = new FirstError();
    parser.removeErrorListeners();
    parser.setErrorHandler(error);
    Fragments fragments = new Fragments(tokens, problems);
    Optional<SqlToken> changes = OwnTables.changeFlow(tokens.tokens());
    if (changes.isPresent()) {
      problems.add(
          Problem.at(
              changes.get().at(),
              ErrorCode.MANAGED_TABLE_DOES_NOT_SUPPORT_CDC,
              "AUTO CDC keeps streaming tables, not those of CREATE TABLE",
              "Write CREATE STREAMING TABLE"));
      return Optional.empty();
    }
    try {
      StatementBuilder builder = new StatementBuilder(fragments);
      return Optional.of(
          OwnTables.isOwn(tokens.tokens())
              ? builder.build(parser.ownTableStatement())
              : builder.build(parser.statement()));
    } catch (ParseCancellationException stopped) {
      problems.add(SyntaxErrors.describe(tokens, error));
      return Optional.empty();
    }
  }
}
