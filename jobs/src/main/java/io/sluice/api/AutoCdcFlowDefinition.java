package io.sluice.api;

import io.sluice.errors.SourceLocation;
import io.sluice.sql.CdcSource;
import io.sluice.sql.ColumnSelection;
import io.sluice.sql.FlowBody;
import io.sluice.sql.Identifier;
import io.sluice.sql.NullUpdates;
import io.sluice.sql.SqlExpression;
import java.util.List;
import java.util.Optional;

/** A flow that applies a change feed: AUTO CDC (semantics 2.1, 2.6). */
public final class AutoCdcFlowDefinition extends KeyedFlowDefinition<AutoCdcFlowDefinition> {

  /** SQL at the place where it was given. */
  private record Text(String sql, SourceLocation at) {

    static Text of(String sql) {
      return new Text(sql, CallSite.here());
    }

    SqlExpression parse() {
      return SqlExpression.parse(sql, at);
    }
  }

  private Optional<Text> sequenceBy = Optional.empty();
  private Optional<Text> systemSequenceBy = Optional.empty();
  private Optional<Text> deletes = Optional.empty();
  private Optional<Text> truncates = Optional.empty();
  private Optional<ColumnSelection> columns = Optional.empty();
  private Optional<NullUpdates> nullUpdates = Optional.empty();
  private Optional<Identifier> columnsToUpdate = Optional.empty();

  AutoCdcFlowDefinition(String name) {
    super(name);
  }

  @Override
  AutoCdcFlowDefinition self() {
    return this;
  }

  /** The order of a key's events: a column, an expression, or {@code STRUCT(a, b)}. */
  public AutoCdcFlowDefinition sequenceBy(String sqlExpression) {
    sequenceBy = Optional.of(Text.of(sqlExpression));
    return this;
  }

  /** When the source system came to know of an event; for bitemporal targets. */
  public AutoCdcFlowDefinition systemSequenceBy(String sqlExpression) {
    systemSequenceBy = Optional.of(Text.of(sqlExpression));
    return this;
  }

  /** Which events are deletes. */
  public AutoCdcFlowDefinition applyAsDeletes(String sqlCondition) {
    deletes = Optional.of(Text.of(sqlCondition));
    return this;
  }

  /** Which events empty the table up to their sequence; for SCD type 1. */
  public AutoCdcFlowDefinition applyAsTruncates(String sqlCondition) {
    truncates = Optional.of(Text.of(sqlCondition));
    return this;
  }

  /** The only columns that go into the table; the last call of this and its twin counts. */
  public AutoCdcFlowDefinition columns(String... names) {
    columns = Optional.of(only(names));
    return this;
  }

  /** The columns that do not go into the table. */
  public AutoCdcFlowDefinition columnsExcept(String... names) {
    columns = Optional.of(except(names));
    return this;
  }

  /** A NULL leaves the value there was, in all columns (semantics 8). */
  public AutoCdcFlowDefinition ignoreNullUpdates() {
    nullUpdates = Optional.of(new NullUpdates(CallSite.here(), Optional.empty()));
    return this;
  }

  /** A NULL leaves the value there was, in these columns. */
  public AutoCdcFlowDefinition ignoreNullUpdatesOn(String... names) {
    nullUpdates = Optional.of(new NullUpdates(CallSite.here(), Optional.of(only(names))));
    return this;
  }

  /** A NULL leaves the value there was, in all columns but these. */
  public AutoCdcFlowDefinition ignoreNullUpdatesExcept(String... names) {
    nullUpdates = Optional.of(new NullUpdates(CallSite.here(), Optional.of(except(names))));
    return this;
  }

  /** The array column that names the columns which an event writes. */
  public AutoCdcFlowDefinition columnsToUpdate(String arrayColumn) {
    columnsToUpdate = Optional.of(new Identifier(CallSite.here(), arrayColumn, true));
    return this;
  }

  @Override
  FlowBody body(Declared into) {
    List<Identifier> keys = requiredKeys();
    Text sequence =
        sequenceBy.orElseThrow(
            () -> missing("sequence", "Give it the order of events with sequenceBy(..)"));
    return new FlowBody.AutoCdc(
        at(),
        isOnce(),
        new CdcSource(at(), requiredReading().query(name(), at(), into), false),
        keys,
        nullUpdates,
        deletes.map(Text::parse),
        truncates.map(Text::parse),
        sequence.parse(),
        systemSequenceBy.map(Text::parse),
        columns,
        storedAs(),
        trackHistory(),
        columnsToUpdate);
  }
}
