package io.sluice.files;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.flink.table.types.logical.ArrayType;
import org.apache.flink.table.types.logical.BigIntType;
import org.apache.flink.table.types.logical.BooleanType;
import org.apache.flink.table.types.logical.DateType;
import org.apache.flink.table.types.logical.DoubleType;
import org.apache.flink.table.types.logical.LocalZonedTimestampType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.VarCharType;

/**
 * What the values of one column seen so far have in common. Merging is associative and commutative
 * but for the order of a row's fields, which is that of their first appearance.
 */
sealed interface Guess {

  Guess NOTHING = Scalar.NOTHING;

  /** The type that takes the values of both. */
  Guess merge(Guess other);

  LogicalType toType();

  /** The types without parts. */
  enum Scalar implements Guess {
    /** Only nulls: STRING. */
    NOTHING,
    BOOLEAN,
    BIGINT,
    DOUBLE,
    DATE,
    TIMESTAMP,
    /** Texts, and values that have nothing else in common. */
    TEXT;

    @Override
    public Guess merge(Guess other) {
      if (this == other || other == NOTHING) {
        return this;
      }
      if (this == NOTHING) {
        return other;
      }
      if (isEither(other, BIGINT, DOUBLE)) {
        return DOUBLE;
      }
      return isEither(other, DATE, TIMESTAMP) ? TIMESTAMP : TEXT;
    }

    private boolean isEither(Guess other, Scalar left, Scalar right) {
      return (this == left && other == right) || (this == right && other == left);
    }

    @Override
    public LogicalType toType() {
      return switch (this) {
        case BOOLEAN -> new BooleanType();
        case BIGINT -> new BigIntType();
        case DOUBLE -> new DoubleType();
        case DATE -> new DateType();
        case TIMESTAMP -> new LocalZonedTimestampType(6);
        case NOTHING, TEXT -> new VarCharType(VarCharType.MAX_LENGTH);
      };
    }
  }

  /** An array. */
  record Elements(Guess element) implements Guess {
    @Override
    public Guess merge(Guess other) {
      if (other instanceof Elements elements) {
        return new Elements(element.merge(elements.element));
      }
      return other == NOTHING ? this : Scalar.TEXT;
    }

    @Override
    public LogicalType toType() {
      return new ArrayType(element.toType());
    }
  }

  /**
   * An object; names that differ in case only are one field, spelled as it was seen first. One with
   * very many fields is rather a map whose keys are data, and becomes a STRING.
   */
  final class Fields implements Guess {

    static final int MAX_NESTED_FIELDS = 1_000;

    private final Map<String, Field> fields = new LinkedHashMap<>();

    private record Field(String name, Guess guess) {}

    /** Sees a value of a field. One without a name cannot be a column; it is rescued. */
    void add(String name, Guess guess) {
      if (name.isBlank()) {
        return;
      }
      fields.merge(
          name.toLowerCase(Locale.ROOT),
          new Field(name, guess),
          (known, added) -> new Field(known.name, known.guess.merge(added.guess)));
    }

    /** What is known of a field so far. */
    Guess get(String name) {
      Field field = fields.get(name.toLowerCase(Locale.ROOT));
      return field == null ? NOTHING : field.guess;
    }

    boolean isEmpty() {
      return fields.isEmpty();
    }

    @Override
    public Guess merge(Guess other) {
      if (other == NOTHING) {
        return this;
      }
      if (!(other instanceof Fields)) {
        return Scalar.TEXT;
      }
      Fields merged = new Fields();
      merged.fields.putAll(fields);
      ((Fields) other).fields.values().forEach(field -> merged.add(field.name, field.guess));
      return merged;
    }

    List<RowType.RowField> toColumns() {
      List<RowType.RowField> columns = new ArrayList<>();
      fields
          .values()
          .forEach(field -> columns.add(new RowType.RowField(field.name, field.guess.toType())));
      return columns;
    }

    @Override
    public LogicalType toType() {
      boolean row = !isEmpty() && fields.size() <= MAX_NESTED_FIELDS;
      return row ? new RowType(toColumns()) : Scalar.TEXT.toType();
    }
  }
}
