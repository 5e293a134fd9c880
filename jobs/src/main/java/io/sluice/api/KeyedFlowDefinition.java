package io.sluice.api;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.Problem;
import io.sluice.errors.SluiceException;
import io.sluice.errors.SourceLocation;
import io.sluice.sql.ColumnSelection;
import io.sluice.sql.Identifier;
import io.sluice.sql.StoredAs;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What flows have in common that keep a table by keys.
 *
 * @param <T> the declaration itself
 */
public abstract class KeyedFlowDefinition<T extends KeyedFlowDefinition<T>>
    extends FlowDefinition<T> {

  private List<Identifier> keys = List.of();
  private Optional<StoredAs> storedAs = Optional.empty();
  private Optional<ColumnSelection> trackHistory = Optional.empty();

  KeyedFlowDefinition(String name) {
    super(name);
  }

  /** The columns that tell rows apart (semantics 4.4). */
  public T keys(String... columns) {
    keys = identifiers(columns);
    return self();
  }

  /** How the target is kept; SCD type 1 by default. */
  public T storedAs(ScdType type) {
    storedAs = Optional.of(new StoredAs(CallSite.here(), type.stored()));
    return self();
  }

  /** The only columns that open a new version (semantics 7). */
  public T trackHistoryOn(String... columns) {
    trackHistory = Optional.of(only(columns));
    return self();
  }

  /** The columns that open no new version; all others do. */
  public T trackHistoryExcept(String... columns) {
    trackHistory = Optional.of(except(columns));
    return self();
  }

  final List<Identifier> requiredKeys() {
    if (keys.isEmpty()) {
      throw new SluiceException(
          Problem.at(
              at(),
              ErrorCode.AUTOCDC_EMPTY_KEYS,
              "flow '" + name() + "' names no key column",
              "Name them with keys(..)"));
    }
    return keys;
  }

  final Optional<StoredAs> storedAs() {
    return storedAs;
  }

  final Optional<ColumnSelection> trackHistory() {
    return trackHistory;
  }

  static ColumnSelection only(String... columns) {
    return new ColumnSelection(CallSite.here(), false, identifiers(columns));
  }

  static ColumnSelection except(String... columns) {
    return new ColumnSelection(CallSite.here(), true, identifiers(columns));
  }

  private static List<Identifier> identifiers(String... columns) {
    SourceLocation at = CallSite.here();
    List<Identifier> identifiers = new ArrayList<>();
    Stream.of(columns).forEach(column -> identifiers.add(new Identifier(at, column, true)));
    return List.copyOf(identifiers);
  }
}
