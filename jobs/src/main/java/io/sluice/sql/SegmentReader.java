package io.sluice.sql;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.Problem;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Cuts a file at every ';' outside of quotes and comments and replaces {@code ${name}} on the way.
 * One segment at a time, because a SET statement gives variables to the segments behind it.
 */
final class SegmentReader {

  private enum State {
    CODE,
    STRING,
    DOUBLE_QUOTED,
    QUOTED_NAME,
    LINE_COMMENT,
    BLOCK_COMMENT
  }

  private final SourceText source;
  private final String text;
  private final Variables variables;
  private final List<Problem> problems;
  private int position;
  private StringBuilder expanded;
  private int[] origins;
  private int codePoints;

  SegmentReader(SourceText source, Variables variables, List<Problem> problems) {
    this.source = source;
    this.text = source.text();
    this.variables = variables;
    this.problems = problems;
  }

  boolean hasNext() {
    return position < text.length();
  }

  Segment next() {
    expanded = new StringBuilder();
    origins = new int[256];
    codePoints = 0;
    State state = State.CODE;
    while (position < text.length()) {
      char c = text.charAt(position);
      if (state == State.CODE && c == ';') {
        return segment(position++);
      }
      boolean comment = state == State.LINE_COMMENT || state == State.BLOCK_COMMENT;
      if (c == '$' && !comment && text.startsWith("${", position)) {
        variable();
        continue;
      }
      state = step(state, c);
    }
    return segment(text.length());
  }

  private Segment segment(int end) {
    return new Segment(source, expanded.toString(), Arrays.copyOf(origins, codePoints), end);
  }

  private State step(State state, char c) {
    char after = position + 1 < text.length() ? text.charAt(position + 1) : '\0';
    copy(1);
    switch (state) {
      case CODE:
        return code(c, after);
      case STRING:
        return c == '\'' ? State.CODE : state;
      case QUOTED_NAME:
        return c == '`' ? State.CODE : state;
      case DOUBLE_QUOTED:
        if (c == '\\' && after != '\0' && after != '$') {
          copy(1);
        }
        return c == '"' ? State.CODE : state;
      case LINE_COMMENT:
        return c == '\n' ? State.CODE : state;
      case BLOCK_COMMENT:
        if (c == '*' && after == '/') {
          copy(1);
          return State.CODE;
        }
        return state;
    }
    throw new IllegalStateException(state.toString());
  }

  private State code(char c, char after) {
    if (c == '-' && after == '-') {
      return State.LINE_COMMENT;
    }
    if (c == '/' && after == '*') {
      copy(1);
      boolean hint = position < text.length() && text.charAt(position) == '+';
      return hint ? State.CODE : State.BLOCK_COMMENT;
    }
    return switch (c) {
      case '\'' -> State.STRING;
      case '"' -> State.DOUBLE_QUOTED;
      case '`' -> State.QUOTED_NAME;
      default -> State.CODE;
    };
  }

  private void variable() {
    int start = position;
    int close = text.indexOf('}', start);
    String inside = close < 0 ? "" : text.substring(start + 2, close);
    int separator = inside.indexOf(":-");
    String name = separator < 0 ? inside : inside.substring(0, separator);
    if (!Variables.isName(name)) {
      problems.add(
          Problem.at(
              source.locate(start),
              ErrorCode.SYNTAX,
              "'${' does not begin a variable: a name of letters, digits, '_', '.' and '-' and a"
                  + " '}' must follow",
              "Write ${name} or ${name:-default}"));
      copy(2);
      return;
    }
    position = close + 1;
    Optional<String> value = variables.lookUp(name);
    if (value.isEmpty() && separator >= 0) {
      value = Optional.of(inside.substring(separator + 2));
    }
    if (value.isEmpty()) {
      problems.add(
          Problem.at(
              source.locate(start),
              ErrorCode.UNKNOWN_VARIABLE,
              "the variable ${" + name + "} has no value" + variables.didYouMean(name),
              "Give it with --set "
                  + name
                  + "=.., a SET statement earlier in the file, an environment variable, or a"
                  + " default: ${"
                  + name
                  + ":-..}"));
    }
    append(value.orElse("unknown"), start);
  }

  private void copy(int units) {
    for (int i = 0; i < units; i++) {
      char c = text.charAt(position);
      expanded.append(c);
      if (!isTrailingHalf(text, position)) {
        origin(position);
      }
      position++;
    }
  }

  private void append(String value, int originOffset) {
    expanded.append(value);
    for (int i = 0; i < value.length(); i++) {
      if (!isTrailingHalf(value, i)) {
        origin(originOffset);
      }
    }
  }

  private static boolean isTrailingHalf(String string, int index) {
    return Character.isLowSurrogate(string.charAt(index))
        && index > 0
        && Character.isHighSurrogate(string.charAt(index - 1));
  }

  private void origin(int offset) {
    if (codePoints == origins.length) {
      origins = Arrays.copyOf(origins, codePoints * 2);
    }
    origins[codePoints++] = offset;
  }
}
