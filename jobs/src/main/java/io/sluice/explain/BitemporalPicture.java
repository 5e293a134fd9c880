package io.sluice.explain;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.SluiceException;
import io.sluice.explain.KeyExplanation.KeyRow;
import io.sluice.table.GeneratedColumns;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A bitemporal key as SVG: business time runs to the right, system time upwards, every row is a
 * rectangle with its values. Both axes show each boundary once, equally spaced, so that intervals
 * of seconds and of years can be read side by side. Rows that are still believed are coloured, one
 * colour per content; superseded rows are pale.
 */
public final class BitemporalPicture {

  private static final int LEFT = 200;
  private static final int TOP = 64;
  private static final int RIGHT = 40;
  private static final int BOTTOM = 70;
  private static final int CELL_WIDTH = 170;
  private static final int CELL_HEIGHT = 64;
  private static final double CHARACTER_WIDTH = 6.7;
  private static final String[] COLOURS = {
    "#4e79a7", "#f28e2b", "#59a14f", "#b07aa1", "#e15759", "#76b7b2", "#9c755f", "#edc948"
  };

  private final KeyExplanation key;
  private final TimeAxis business;
  private final TimeAxis system;
  private final Map<Map<String, Object>, String> colours = new LinkedHashMap<>();
  private final StringBuilder svg = new StringBuilder();

  private BitemporalPicture(KeyExplanation key) {
    this.key = key;
    this.business = TimeAxis.of(key.rows(), GeneratedColumns.START_AT, GeneratedColumns.END_AT);
    this.system =
        TimeAxis.of(key.rows(), GeneratedColumns.SYSTEM_START_AT, GeneratedColumns.SYSTEM_END_AT);
  }

  /**
   * Draws a key.
   *
   * @return a whole SVG document
   * @throws SluiceException INVALID_CALL if the table is not bitemporal
   */
  public static String of(KeyExplanation key) {
    if (!key.bitemporal()) {
      throw new SluiceException(
          ErrorCode.INVALID_CALL,
          "table " + key.table() + " is not bitemporal, a picture shows two axes of time",
          "Leave out --picture");
    }
    return new BitemporalPicture(key).draw();
  }

  private String draw() {
    int width = LEFT + Math.max(1, business.cells()) * CELL_WIDTH + RIGHT;
    int height = TOP + Math.max(1, system.cells()) * CELL_HEIGHT + BOTTOM;
    svg.append(
        """
        <svg xmlns="http://www.w3.org/2000/svg" width="%1$d" height="%2$d" viewBox="0 0 %1$d %2$d" \
        font-family="ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="11">
        <rect width="%1$d" height="%2$d" fill="#ffffff"/>
        """
            .formatted(width, height));
    text(LEFT, 24, "start", 14, "#222222", "key " + text(key.key()) + " of " + key.table());
    text(LEFT, 44, "start", 11, "#666666", "as of snapshot " + key.snapshot());
    grid(width, height);
    key.rows().forEach(this::rectangle);
    if (key.rows().isEmpty()) {
      text(LEFT + 12, TOP + 24, "start", 11, "#666666", "no row");
    }
    return svg.append("</svg>\n").toString();
  }

  private void grid(int width, int height) {
    int base = height - BOTTOM;
    for (int i = 0; i < business.boundaries().size(); i++) {
      int x = LEFT + i * CELL_WIDTH;
      line(x, TOP, x, base + 6);
      text(x, base + 22, "middle", 11, "#444444", KeyValues.text(business.boundaries().get(i)));
    }
    for (int i = 0; i < system.boundaries().size(); i++) {
      int y = base - i * CELL_HEIGHT;
      line(LEFT - 6, y, width - RIGHT, y);
      text(LEFT - 12, y + 4, "end", 11, "#444444", KeyValues.text(system.boundaries().get(i)));
    }
    text(width - RIGHT, base + 48, "end", 12, "#222222", "business time \u2192");
    text(LEFT - 12, TOP - 10, "end", 12, "#222222", "\u2191 system time");
  }

  private void rectangle(KeyRow row) {
    Map<String, Object> values = values(row);
    Object systemEnd = row.columns().get(GeneratedColumns.SYSTEM_END_AT);
    int left = LEFT + business.start(row) * CELL_WIDTH;
    int right = LEFT + business.end(row) * CELL_WIDTH;
    int base = TOP + Math.max(1, system.cells()) * CELL_HEIGHT;
    int bottom = base - system.start(row) * CELL_HEIGHT;
    int top = base - system.end(row) * CELL_HEIGHT;
    String colour =
        colours.computeIfAbsent(values, any -> COLOURS[colours.size() % COLOURS.length]);
    boolean believed = systemEnd == null;
    svg.append(
        "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"3\" fill=\"%s\" fill-opacity=\"%s\" stroke=\"%s\" stroke-width=\"1.5\"%s><title>%s</title></rect>%n"
            .formatted(
                left + 3,
                top + 3,
                right - left - 6,
                bottom - top - 6,
                colour,
                believed ? "0.55" : "0.14",
                colour,
                believed ? "" : " stroke-dasharray=\"4 3\"",
                escape(text(row.columns()))));
    int room = (int) ((right - left - 20) / CHARACTER_WIDTH);
    int middle = (top + bottom) / 2;
    text(left + 10, middle - 3, "start", 11, "#111111", shortened(text(values), room));
    text(
        left + 10,
        middle + 13,
        "start",
        10,
        "#444444",
        shortened(believed ? "believed now" : "superseded", room));
  }

  private Map<String, Object> values(KeyRow row) {
    Map<String, Object> values = new LinkedHashMap<>(row.columns());
    values.keySet().removeIf(GeneratedColumns::contains);
    values.keySet().removeAll(key.key().keySet());
    return values;
  }

  private static String text(Map<String, Object> values) {
    return values.entrySet().stream()
        .map(entry -> entry.getKey() + "=" + KeyValues.text(entry.getValue()))
        .collect(Collectors.joining(", "));
  }

  private static String shortened(String text, int room) {
    return text.length() <= room ? text : text.substring(0, Math.max(0, room - 1)) + "\u2026";
  }

  private void line(int x1, int y1, int x2, int y2) {
    svg.append(
        "<line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\" stroke=\"#cccccc\"/>%n"
            .formatted(x1, y1, x2, y2));
  }

  private void text(int x, int y, String anchor, int size, String colour, String text) {
    svg.append(
        "<text x=\"%d\" y=\"%d\" text-anchor=\"%s\" font-size=\"%d\" fill=\"%s\">%s</text>%n"
            .formatted(x, y, anchor, size, colour, escape(text)));
  }

  private static String escape(String text) {
    List<String> parts = new ArrayList<>();
    text.codePoints()
        .forEach(
            c ->
                parts.add(
                    switch (c) {
                      case '&' -> "&amp;";
                      case '<' -> "&lt;";
                      case '>' -> "&gt;";
                      case '"' -> "&quot;";
                      default ->
                          Character.isISOControl(c) || c >= 0xD800 && c <= 0xDFFF
                              ? " "
                              : Character.toString(c);
                    }));
    return String.join("", parts);
  }
}
