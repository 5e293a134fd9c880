package io.sluice.cli;

import java.util.ArrayList;
import java.util.List;

/**
 * Rows of text in aligned columns, one line each; numbers to the right. Control characters are
 * escaped as in Java.
 */
final class TextTable {

  private final List<List<String>> rows = new ArrayList<>();
  private final int[] widths;
  private final boolean[] numeric;

  TextTable(String... header) {
    widths = new int[header.length];
    numeric = new boolean[header.length];
    add(header);
  }

  void row(Object... values) {
    add(values);
  }

  private void add(Object[] values) {
    List<String> row = new ArrayList<>(widths.length);
    for (int c = 0; c < widths.length; c++) {
      String value = onOneLine(String.valueOf(values[c]));
      row.add(value);
      widths[c] = Math.max(widths[c], width(value));
      if (!rows.isEmpty()) {
        numeric[c] = (rows.size() == 1 || numeric[c]) && value.matches("[-+0-9.,]*|NULL");
      }
    }
    rows.add(row);
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (int r = 0; r < rows.size(); r++) {
      StringBuilder line = new StringBuilder();
      for (int c = 0; c < widths.length; c++) {
        String value = rows.get(r).get(c);
        String padding = " ".repeat(widths[c] - width(value));
        line.append(c == 0 ? "" : "  ");
        line.append(numeric[c] ? padding + value : value + padding);
      }
      text.append(line.toString().stripTrailing()).append('\n');
      if (r == 0) {
        text.append(rule()).append('\n');
      }
    }
    return text.toString();
  }

  private String rule() {
    StringBuilder rule = new StringBuilder();
    for (int c = 0; c < widths.length; c++) {
      rule.append(c == 0 ? "" : "  ").append("-".repeat(widths[c]));
    }
    return rule.toString();
  }

  private static String onOneLine(String value) {
    if (value.chars().noneMatch(Character::isISOControl)) {
      return value;
    }
    StringBuilder text = new StringBuilder();
    for (char c : value.toCharArray()) {
      switch (c) {
        case '\n' -> text.append("\\n");
        case '\r' -> text.append("\\r");
        case '\t' -> text.append("\\t");
        default -> text.append(Character.isISOControl(c) ? String.format("\\u%04x", (int) c) : c);
      }
    }
    return text.toString();
  }

  /** Places on a terminal: none for marks on the letter before, two for ideographs and emoji. */
  private static int width(String value) {
    return value
        .codePoints()
        .map(
            point ->
                switch (Character.getType(point)) {
                  case Character.NON_SPACING_MARK, Character.ENCLOSING_MARK -> 0;
                  default -> isWide(point) ? 2 : 1;
                })
        .sum();
  }

  private static boolean isWide(int point) {
    return Character.isIdeographic(point)
        || point >= 0x1100 && point <= 0x115F // Hangul
        || point >= 0x3000 && point <= 0x30FF // punctuation, Hiragana, Katakana
        || point >= 0xAC00 && point <= 0xD7A3 // Hangul
        || point >= 0xFF01 && point <= 0xFF60 // full width forms
        || point >= 0x1F300 && point <= 0x1FAFF; // emoji
  }
}
