package io.sluice.sql;

import io.sluice.errors.SourceLocation;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A statement in Flink's own form, for Flink to execute.
 *
 * @param at place of its first word
 * @param kind what it is
 * @param name what it creates or uses
 * @param options {@code WITH (..)} of a table, keys as written; empty for all else
 * @param sql the statement; only double-quoted strings are rewritten
 */
public record PassThrough(
    SourceLocation at,
    Kind kind,
    Optional<QualifiedName> name,
    Map<String, String> options,
    RenderedSql sql)
    implements Statement {

  public PassThrough {
    options = Collections.unmodifiableMap(new LinkedHashMap<>(options));
  }

  /** The kinds of statement that go to Flink as they stand. */
  public enum Kind {
    CREATE_CATALOG,
    CREATE_DATABASE,
    CREATE_FUNCTION,
    CREATE_TABLE,
    USE
  }

  /** The statement for Flink, without a ';'. */
  public String flinkSql() {
    return sql.text();
  }
}
