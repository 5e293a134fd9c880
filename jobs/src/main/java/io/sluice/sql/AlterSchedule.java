package io.sluice.sql;

import io.sluice.errors.SourceLocation;
import java.util.Optional;

/**
 * {@code ALTER {STREAMING TABLE | MATERIALIZED VIEW} name ..} (semantics 2.5).
 *
 * @param at place of ALTER
 * @param object what kind of thing the statement names
 * @param nameAt place of the name
 * @param name the table or view
 * @param action ADD, ALTER or DROP
 * @param schedule the new schedule; empty exactly for DROP
 */
public record AlterSchedule(
    SourceLocation at,
    ObjectKind object,
    SourceLocation nameAt,
    QualifiedName name,
    Action action,
    Optional<Schedule> schedule)
    implements Statement {

  /** What happens to the schedule. */
  public enum Action {
    ADD,
    ALTER,
    DROP
  }
}
