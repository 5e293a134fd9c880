package io.sluice.files;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.SluiceException;
import io.sluice.files.SchemaTokens.Kind;
import io.sluice.files.SchemaTokens.Token;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.types.logical.ArrayType;
import org.apache.flink.table.types.logical.BigIntType;
import org.apache.flink.table.types.logical.BinaryType;
import org.apache.flink.table.types.logical.BooleanType;
import org.apache.flink.table.types.logical.CharType;
import org.apache.flink.table.types.logical.DateType;
import org.apache.flink.table.types.logical.DecimalType;
import org.apache.flink.table.types.logical.DoubleType;
import org.apache.flink.table.types.logical.FloatType;
import org.apache.flink.table.types.logical.IntType;
import org.apache.flink.table.types.logical.LocalZonedTimestampType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.MapType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.SmallIntType;
import org.apache.flink.table.types.logical.TimeType;
import org.apache.flink.table.types.logical.TimestampType;
import org.apache.flink.table.types.logical.TinyIntType;
import org.apache.flink.table.types.logical.VarBinaryType;
import org.apache.flink.table.types.logical.VarCharType;

/**
 * Reads a declared schema: {@code id INT, name STRING NOT NULL, addr STRUCT<a: INT, b: STRING>}, in
 * the type names of Spark and of Flink. TIMESTAMP, with or without a precision, is the zoned type
 * as in Spark; TIMESTAMP_NTZ and TIMESTAMP WITHOUT TIME ZONE are the local one.
 */
final class SchemaText {

  private static final int DEFAULT_TIMESTAMP_PRECISION = 6;

  private final String text;
  private final SchemaTokens tokens;
  private String column = "";

  private SchemaText(String text) {
    this.text = text;
    this.tokens = new SchemaTokens(text);
  }

  /** The columns as a row; INVALID_OPTION names column, place and offending text. */
  static RowType parse(String text) {
    SchemaText parser = new SchemaText(text);
    List<RowType.RowField> columns = new ArrayList<>();
    do {
      parser.column = "";
      String name = parser.name();
      parser.column = name;
      columns.add(new RowType.RowField(name, parser.columnType()));
    } while (parser.tokens.takeIf(","));
    if (parser.tokens.peek().kind() != Kind.END) {
      throw parser.wrong(parser.tokens.peek(), "a comma or the end was expected");
    }
    parser.requireDistinct(columns);
    return new RowType(false, columns);
  }

  private LogicalType columnType() {
    tokens.takeIf(":");
    LogicalType type = type();
    if (tokens.takeIf("COMMENT") && tokens.take().kind() != Kind.LITERAL) {
      throw wrong(tokens.peek(), "COMMENT needs a text in single quotes");
    }
    return type;
  }

  private String name() {
    Token token = tokens.take();
    if (token.kind() != Kind.WORD && token.kind() != Kind.QUOTED || token.text().isEmpty()) {
      throw wrong(token, "a column name was expected");
    }
    return token.text();
  }

  private LogicalType type() {
    Token token = tokens.take();
    if (token.kind() != Kind.WORD) {
      throw wrong(token, "a type was expected");
    }
    LogicalType type;
    try {
      type = type(token);
    } catch (ValidationException e) {
      throw wrong(token, e.getMessage());
    }
    if (tokens.takeAll("NOT", "NULL")) {
      return type.copy(false);
    }
    tokens.takeIf("NULL");
    return type;
  }

  private LogicalType type(Token token) {
    return switch (token.text().toUpperCase(Locale.ROOT)) {
      case "BOOLEAN", "BOOL" -> new BooleanType();
      case "TINYINT", "BYTE" -> new TinyIntType();
      case "SMALLINT", "SHORT" -> new SmallIntType();
      case "INT", "INTEGER" -> new IntType();
      case "BIGINT", "LONG" -> new BigIntType();
      case "FLOAT", "REAL" -> new FloatType();
      case "DOUBLE" -> {
        tokens.takeIf("PRECISION");
        yield new DoubleType();
      }
      case "DECIMAL", "DEC", "NUMERIC" -> decimal();
      case "STRING" -> new VarCharType(VarCharType.MAX_LENGTH);
      case "VARCHAR" -> new VarCharType(argument(VarCharType.MAX_LENGTH));
      case "CHAR" -> new CharType(argument(1));
      case "BYTES" -> new VarBinaryType(VarBinaryType.MAX_LENGTH);
      case "BINARY" ->
          tokens.peek().is("(")
              ? new BinaryType(argument(1))
              : new VarBinaryType(VarBinaryType.MAX_LENGTH);
      case "VARBINARY" -> new VarBinaryType(argument(VarBinaryType.MAX_LENGTH));
      case "DATE" -> new DateType();
      case "TIME" -> new TimeType(argument(TimeType.DEFAULT_PRECISION));
      case "TIMESTAMP" -> timestamp(token);
      case "TIMESTAMP_LTZ" -> new LocalZonedTimestampType(argument(DEFAULT_TIMESTAMP_PRECISION));
      case "TIMESTAMP_NTZ" -> new TimestampType(argument(DEFAULT_TIMESTAMP_PRECISION));
      case "ARRAY" -> {
        expect("<");
        LogicalType element = type();
        expect(">");
        yield new ArrayType(element);
      }
      case "MAP" -> {
        expect("<");
        LogicalType key = type();
        expect(",");
        LogicalType value = type();
        expect(">");
        yield new MapType(key, value);
      }
      case "STRUCT", "ROW" -> row();
      default -> throw wrong(token, "no such type is known");
    };
  }

  private LogicalType timestamp(Token token) {
    int precision = argument(DEFAULT_TIMESTAMP_PRECISION);
    if (tokens.takeAll("WITHOUT", "TIME", "ZONE")) {
      return new TimestampType(precision);
    }
    if (tokens.takeAll("WITH", "TIME", "ZONE")) {
      throw wrong(token, "a zone per value cannot be kept, TIMESTAMP_LTZ keeps the instant");
    }
    tokens.takeAll("WITH", "LOCAL", "TIME", "ZONE");
    return new LocalZonedTimestampType(precision);
  }

  private LogicalType decimal() {
    if (!tokens.takeIf("(")) {
      return new DecimalType(DecimalType.DEFAULT_PRECISION, 0);
    }
    int precision = number();
    int scale = tokens.takeIf(",") ? number() : 0;
    expect(")");
    return new DecimalType(precision, scale);
  }

  private LogicalType row() {
    String closing = tokens.peek().is("(") ? ")" : ">";
    expect(closing.equals(")") ? "(" : "<");
    List<RowType.RowField> fields = new ArrayList<>();
    do {
      String name = name();
      fields.add(new RowType.RowField(name, columnType()));
    } while (tokens.takeIf(","));
    expect(closing);
    requireDistinct(fields);
    return new RowType(fields);
  }

  private int argument(int otherwise) {
    if (!tokens.takeIf("(")) {
      return otherwise;
    }
    int number = number();
    expect(")");
    return number;
  }

  private int number() {
    Token token = tokens.take();
    try {
      return Integer.parseInt(token.text());
    } catch (NumberFormatException e) {
      throw wrong(token, "a whole number was expected");
    }
  }

  private void expect(String sign) {
    Token token = tokens.take();
    if (!token.is(sign)) {
      throw wrong(token, "'" + sign + "' was expected");
    }
  }

  private void requireDistinct(List<RowType.RowField> fields) {
    Set<String> names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
    for (RowType.RowField field : fields) {
      if (!names.add(field.getName())) {
        throw new SluiceException(
            ErrorCode.INVALID_OPTION,
            "read_files schema => '" + text + "' has the name '" + field.getName() + "' twice",
            "Names that differ in case only count as the same.");
      }
    }
  }

  private SluiceException wrong(Token token, String why) {
    String found = token.kind() == Kind.END ? "the end" : "'" + token.text() + "'";
    return new SluiceException(
        ErrorCode.INVALID_OPTION,
        "read_files schema => '"
            + text
            + "'"
            + (column.isEmpty() ? "" : ", column '" + column + "'")
            + ": "
            + found
            + " at character "
            + token.column()
            + ": "
            + why,
        "Write columns as in: id BIGINT, name STRING, price DECIMAL(10,2), tags ARRAY<STRING>,"
            + " addr STRUCT<zip: INT>, m MAP<STRING, INT>, ts TIMESTAMP.");
  }
}
