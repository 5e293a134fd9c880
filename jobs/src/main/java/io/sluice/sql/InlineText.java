package io.sluice.sql;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.Problem;
import io.sluice.errors.SluiceException;
import io.sluice.errors.SourceLocation;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;

/** A query or expression that is a text of its own and not a part of a pipeline file. */
final class InlineText {

  private InlineText() {}

  /**
   * What the text says.
   *
   * @param reader makes something of the tokens, or adds what is wrong with them to the problems
   * @throws SluiceException with every problem of the text, at its place in the text
   */
  static <T> T parse(String text, BiFunction<List<SqlToken>, List<Problem>, T> reader) {
    List<Problem> problems = new ArrayList<>();
    return read(tokens(text, problems), problems, reader);
  }

  /**
   * What the text says that stands in another program.
   *
   * @param at its place there, to which all tokens and problems are attributed
   * @param reader makes something of the tokens, or adds what is wrong with them to the problems
   * @throws SluiceException with every problem of the text
   */
  static <T> T parse(
      String text, SourceLocation at, BiFunction<List<SqlToken>, List<Problem>, T> reader) {
    List<Problem> problems = new ArrayList<>();
    List<SqlToken> tokens =
        tokens(text, problems).stream()
            .map(token -> new SqlToken(token.kind(), token.text(), at, token.gap()))
            .toList();
    problems.replaceAll(problem -> problem.movedTo(at));
    return read(tokens, problems, reader);
  }

  private static <T> T read(
      List<SqlToken> tokens,
      List<Problem> problems,
      BiFunction<List<SqlToken>, List<Problem>, T> reader) {
    T said = problems.isEmpty() ? reader.apply(tokens, problems) : null;
    if (!problems.isEmpty()) {
      throw new SluiceException(problems);
    }
    return said;
  }

  private static List<SqlToken> tokens(String text, List<Problem> problems) {
    SourceText source = new SourceText("<inline>", text);
    int[] origins = new int[text.codePointCount(0, text.length())];
    for (int i = 1; i < origins.length; i++) {
      origins[i] = text.offsetByCodePoints(origins[i - 1], 1);
    }
    Segment segment = new Segment(source, text, origins, text.length());
    List<StatementTokens> statements = Tokenizer.statements(segment, problems);
    if (statements.size() != 1) {
      problems.add(
          Problem.at(
              source.locate(0),
              ErrorCode.SYNTAX,
              statements.isEmpty() ? "the text is empty" : "the text holds more than one statement",
              "Give exactly one query or expression"));
      return List.of();
    }
    return statements.get(0).tokens();
  }
}
