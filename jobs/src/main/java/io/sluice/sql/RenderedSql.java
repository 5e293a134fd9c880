package io.sluice.sql;

import io.sluice.errors.SourceLocation;
import java.util.ArrayList;
import java.util.List;

/** SQL for Flink whose every place can be traced back to the text that the user wrote. */
public final class RenderedSql {

  private final String text;
  private final List<Mark> marks;

  private record Mark(int line, int column, SourceLocation origin) {

    boolean isAfter(int otherLine, int otherColumn) {
      return line > otherLine || line == otherLine && column > otherColumn;
    }
  }

  private RenderedSql(String text, List<Mark> marks) {
    this.text = text;
    this.marks = List.copyOf(marks);
  }

  /** The SQL, without a ';' at its end. */
  public String text() {
    return text;
  }

  /** The same SQL inside a larger text; places count from the beginning of the prefix. */
  public RenderedSql surroundedBy(String prefix, String suffix) {
    Builder builder = new Builder();
    builder.append(prefix);
    builder.append(this);
    builder.append(suffix);
    return builder.build();
  }

  /**
   * The original place of the token at or before a place in {@link #text}.
   *
   * @param line counted from 1
   * @param column counted from 1, in UTF-16 units as Flink's parser counts
   */
  public SourceLocation originalPlace(int line, int column) {
    int low = 0;
    int high = marks.size() - 1;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (marks.get(middle).isAfter(line, column)) {
        high = middle - 1;
      } else {
        low = middle;
      }
    }
    return marks.get(low).origin();
  }

  @Override
  public String toString() {
    return text;
  }

  /** Collects text and notes where each piece came from. */
  static final class Builder {

    private final StringBuilder text = new StringBuilder();
    private final List<Mark> marks = new ArrayList<>();
    private int line = 1;
    private int column = 1;

    void append(String piece, SourceLocation origin) {
      marks.add(new Mark(line, column, origin));
      append(piece);
    }

    void append(String piece) {
      text.append(piece);
      for (int i = 0; i < piece.length(); i++) {
        if (piece.charAt(i) == '\n') {
          line++;
          column = 1;
        } else {
          column++;
        }
      }
    }

    void append(RenderedSql piece) {
      for (Mark mark : piece.marks) {
        int start = mark.line() == 1 ? column - 1 : 0;
        marks.add(new Mark(mark.line() + line - 1, mark.column() + start, mark.origin()));
      }
      append(piece.text);
    }

    RenderedSql build() {
      return new RenderedSql(text.toString(), marks);
    }
  }
}
