package io.sluice.sql;

import io.sluice.errors.SourceLocation;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/** When a table or view is refreshed (semantics 2.5). */
public sealed interface Schedule {

  /** Place of SCHEDULE or TRIGGER. */
  SourceLocation at();

  /**
   * {@code SCHEDULE [REFRESH] EVERY n unit}.
   *
   * @param amount at least 1
   * @param unit HOURS, DAYS or WEEKS
   */
  record Every(SourceLocation at, int amount, ChronoUnit unit) implements Schedule {}

  /**
   * {@code SCHEDULE [REFRESH] CRON 'quartz' [AT TIME ZONE 'zone']}.
   *
   * @param expression the Quartz expression, not checked here
   * @param timeZone the zone's name, not checked here
   */
  record Cron(SourceLocation at, String expression, Optional<String> timeZone)
      implements Schedule {}

  /** {@code TRIGGER ON UPDATE [AT MOST EVERY INTERVAL n unit]}. */
  record OnUpdate(SourceLocation at, Optional<Duration> atMostEvery) implements Schedule {}
}
