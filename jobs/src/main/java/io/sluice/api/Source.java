package io.sluice.api;

import java.util.List;
import java.util.Optional;

/**
 * What a flow or a view reads: a table, a view, files, or a query. Immutable; every method gives a
 * new source.
 *
 * <p>Conditions and columns written here are SQL of pipeline files, and records keep their place in
 * the source through them, which decides ties (semantics 0.2).
 */
public sealed class Source permits FileSource {

  private final String reference;
  private final Optional<String> query;
  private final List<String> columns;
  private final Optional<String> condition;

  Source(
      String reference, Optional<String> query, List<String> columns, Optional<String> condition) {
    this.reference = reference;
    this.query = query;
    this.columns = List.copyOf(columns);
    this.condition = condition;
  }

  private static Source of(String reference) {
    return new Source(reference, Optional.empty(), List.of(), Optional.empty());
  }

  /**
   * A table or view of which every update reads what is new.
   *
   * @param name one part, or parts separated by dots; a part in back-quotes is taken as it is
   */
  public static Source stream(String name) {
    return of("STREAM " + TableName.parse(name).quoted());
  }

  /** A table or view that is read in full: by a ONCE flow, or joined to a stream. */
  public static Source table(String name) {
    return of(TableName.parse(name).quoted());
  }

  /**
   * Files of which every update reads those that are new; {@link FileSource#batch} reads all of
   * them.
   *
   * @param path path or glob, as in {@code read_files}
   */
  public static FileSource files(String path) {
    return new FileSource(path);
  }

  /** A query in the SQL of pipeline files. */
  public static Source query(String sql) {
    return new Source("", Optional.of(sql), List.of(), Optional.empty());
  }

  /** A history table as change events: {@code scd2_changes} (semantics 0.14). */
  public static Source scd2Changes(String table, String validFrom, String validTo, String... keys) {
    StringBuilder call =
        new StringBuilder("scd2_changes(TABLE ")
            .append(TableName.parse(table).quoted())
            .append(", ")
            .append(TableName.quote(validFrom))
            .append(", ")
            .append(TableName.quote(validTo));
    for (String key : keys) {
      call.append(", ").append(TableName.quote(key));
    }
    return of(call.append(')').toString());
  }

  /** The rows that satisfy a condition. */
  public Source where(String sqlCondition) {
    if (query.isPresent() || condition.isPresent() || !columns.isEmpty()) {
      return nested().where(sqlCondition);
    }
    return new Source(reference(), query, columns, Optional.of(sqlCondition));
  }

  /** Some columns or expressions, like {@code "id"} or {@code "CAST(at AS TIMESTAMP(3)) AS at"}. */
  public Source select(String... sqlItems) {
    if (query.isPresent() || !columns.isEmpty()) {
      return nested().select(sqlItems);
    }
    return new Source(reference(), query, List.of(sqlItems), condition);
  }

  private Source nested() {
    return of("(" + toSql() + ")");
  }

  String reference() {
    return reference;
  }

  /** The whole source as a query. */
  String toSql() {
    return query.orElseGet(
        () ->
            "SELECT "
                + (columns.isEmpty() ? "*" : String.join(", ", columns))
                + " FROM "
                + reference()
                + condition.map(text -> " WHERE " + text).orElse(""));
  }
}
