package io.sluice.conformance;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A column of a case.
 *
 * @param type INT, BIGINT, STRING, DATE, DECIMAL(p,s), TIMESTAMP (the zoned one), or ARRAY<STRING>
 *     in events only: a,b
 */
record CaseColumn(String name, String type) {

  /** {@code name TYPE, name TYPE}; a type may hold a comma in parentheses. */
  static List<CaseColumn> list(String text) {
    List<CaseColumn> columns = new ArrayList<>();
    for (String part : text.split(",(?![^(]*\\))")) {
      String[] words = part.trim().split("\\s+", 2);
      columns.add(new CaseColumn(words[0], words[1]));
    }
    return columns;
  }

  /** The text of a case as JSON. */
  String json(String text) {
    if (text != null && type.equals("ARRAY<STRING>")) {
      return '"' + name + "\":[\"" + text.replace(",", "\",\"") + "\"]";
    }
    String value =
        text == null ? "null" : type.matches("INT|BIGINT|DECIMAL.*") ? text : '"' + text + '"';
    return '"' + name + "\":" + value;
  }

  /** The text of a case as Iceberg's generic reader gives the value. */
  Object value(String text) {
    if (text == null) {
      return null;
    }
    return switch (type.replaceAll("\\(.*", "")) {
      case "INT" -> Integer.valueOf(text);
      case "BIGINT" -> Long.valueOf(text);
      case "STRING" -> text;
      case "DATE" -> LocalDate.parse(text);
      case "DECIMAL" -> new BigDecimal(text);
      case "TIMESTAMP" -> OffsetDateTime.parse(text);
      default -> throw new IllegalArgumentException("no type of a case: " + type);
    };
  }

  /** The type as Iceberg writes it. */
  String icebergType() {
    return switch (type) {
      case "BIGINT" -> "long";
      case "TIMESTAMP" -> "timestamptz";
      default -> type.toLowerCase(Locale.ROOT);
    };
  }

  @Override
  public String toString() {
    return name + " " + type;
  }
}
