package io.sluice.cli;

import java.util.ArrayList;
import java.util.List;

/** Rows of text in aligned columns; numbers to the right. */
final class TextTable {

  private final List<List<String>> rows = new ArrayList<>();

  TextTable(String... header) {
    rows.add(List.of(header));
  }

  void row(Object... values) {
    List<String> row = new ArrayList<>();
    for (Object value : values) {
      row.add(String.valueOf(value));
    }
    rows.add(row);
  }

  @Override
  public String toString() {
    int columns = rows.get(0).size();
    StringBuilder text = new StringBuilder();
    for (int r = 0; r < rows.size(); r++) {
      StringBuilder line = new StringBuilder();
      for (int c = 0; c < columns; c++) {
        String value = rows.get(r).get(c);
        String padding = " ".repeat(width(c) - value.length());
        line.append(c == 0 ? "" : "  ");
        line.append(isNumeric(c) ? padding + value : value + padding);
      }
      text.append(line.toString().stripTrailing()).append('\n');
      if (r == 0) {
        text.append(rule(columns)).append('\n');
      }
    }
    return text.toString();
  }

  private String rule(int columns) {
    StringBuilder rule = new StringBuilder();
    for (int c = 0; c < columns; c++) {
      rule.append(c == 0 ? "" : "  ").append("-".repeat(width(c)));
    }
    return rule.toString();
  }

  private int width(int column) {
    return rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0);
  }

  private boolean isNumeric(int column) {
    return rows.size() > 1
        && rows.stream().skip(1).allMatch(row -> row.get(column).matches("[-+0-9.,]*|NULL"));
  }
}
