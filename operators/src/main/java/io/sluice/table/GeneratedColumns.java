package io.sluice.table;

import java.util.List;
import java.util.Optional;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Types.NestedField;

/** The columns that Sluice itself adds to a target; they always stand last (semantics 3, 0.18). */
public final class GeneratedColumns {

  /** Winner's sequence of an SCD 1 row. */
  public static final String SEQUENCE = "__SEQUENCE";

  /** Begin of a version's validity. */
  public static final String START_AT = "__START_AT";

  /** End of a version's validity, NULL while it is open. */
  public static final String END_AT = "__END_AT";

  /** Begin of a belief's system time. */
  public static final String SYSTEM_START_AT = "__SYSTEM_START_AT";

  /** End of a belief's system time. */
  public static final String SYSTEM_END_AT = "__SYSTEM_END_AT";

  private static final List<String> NAMES =
      List.of(START_AT, END_AT, SYSTEM_START_AT, SYSTEM_END_AT, SEQUENCE);

  private GeneratedColumns() {}

  public static boolean contains(String name) {
    return NAMES.contains(name);
  }

  /** The columns of a target that come from its sources. */
  static List<NestedField> userColumns(Schema target) {
    return target.columns().stream().filter(field -> !contains(field.name())).toList();
  }

  /** The column that holds the system sequence of a row, if the target has one. */
  static Optional<NestedField> systemSequence(Schema target) {
    return Optional.ofNullable(target.findField(SYSTEM_START_AT));
  }

  /** The column that holds the sequence of a row, if the target has one. */
  static Optional<NestedField> sequence(Schema target) {
    return Optional.ofNullable(target.findField(START_AT))
        .or(() -> Optional.ofNullable(target.findField(SEQUENCE)));
  }
}
