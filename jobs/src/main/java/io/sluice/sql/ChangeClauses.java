package io.sluice.sql;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.Problem;
import io.sluice.errors.SourceLocation;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** The clauses behind the source of a change flow: any order, none twice (semantics 2.1). */
final class ChangeClauses {

  private static final String KEYS = "KEYS";
  private static final String SEQUENCE = "SEQUENCE BY";
  private static final String STORED = "STORED AS";
  private static final String TRACK = "TRACK HISTORY ON";
  private static final String COLUMNS = "COLUMNS";

  private final Fragments fragments;
  private final Map<String, StatementParser.ChangeClauseContext> clauses = new LinkedHashMap<>();
  private final Map<String, Object> values = new LinkedHashMap<>();

  ChangeClauses(Fragments fragments) {
    this.fragments = fragments;
  }

  void read(StatementParser.ChangeClauseContext context) {
    String name = name(context);
    Object value = value(name, context);
    StatementParser.ChangeClauseContext first = clauses.putIfAbsent(name, context);
    if (first == null) {
      values.put(name, value);
    } else if (value instanceof ColumnSelection selection
        && values.get(name) instanceof ColumnSelection earlier
        && selection.except() != earlier.except()) {
      refuseBoth(fragments.at(context), name);
    } else {
      fragments.duplicate(fragments.at(context), "the clause " + name);
    }
  }

  private static String name(StatementParser.ChangeClauseContext context) {
    if (context instanceof StatementParser.KeysClauseContext) {
      return KEYS;
    }
    if (context instanceof StatementParser.NullUpdatesClauseContext) {
      return "IGNORE NULL UPDATES";
    }
    if (context instanceof StatementParser.ConditionClauseContext condition) {
      return condition.DELETE() != null ? "APPLY AS DELETE WHEN" : "APPLY AS TRUNCATE WHEN";
    }
    if (context instanceof StatementParser.SequenceClauseContext sequence) {
      return sequence.SYSTEM() == null ? SEQUENCE : "SYSTEM SEQUENCE BY";
    }
    if (context instanceof StatementParser.ColumnsToUpdateClauseContext) {
      return "COLUMNS TO UPDATE";
    }
    if (context instanceof StatementParser.ColumnsClauseContext) {
      return COLUMNS;
    }
    return context instanceof StatementParser.StoredAsClauseContext ? STORED : TRACK;
  }

  private Object value(String name, StatementParser.ChangeClauseContext context) {
    SourceLocation at = fragments.at(context);
    if (context instanceof StatementParser.KeysClauseContext keys) {
      return keys(at, keys);
    }
    if (context instanceof StatementParser.NullUpdatesClauseContext updates) {
      return new NullUpdates(
          at,
          Optional.ofNullable(updates.columnSelection()).map(list -> selection(at, name, list)));
    }
    if (context instanceof StatementParser.ConditionClauseContext condition) {
      return fragments.expression(condition.clauseExpression());
    }
    if (context instanceof StatementParser.SequenceClauseContext sequence) {
      return fragments.expression(sequence.clauseExpression());
    }
    if (context instanceof StatementParser.ColumnsToUpdateClauseContext column) {
      return fragments.column(column.columnName());
    }
    if (context instanceof StatementParser.ColumnsClauseContext columns) {
      return selection(at, name, columns.columnSelection());
    }
    if (context instanceof StatementParser.StoredAsClauseContext stored) {
      return stored(at, stored);
    }
    return selection(
        at, name, ((StatementParser.TrackHistoryClauseContext) context).columnSelection());
  }

  private List<Identifier> keys(SourceLocation at, StatementParser.KeysClauseContext context) {
    List<Identifier> keys = fragments.columns(context.columnNames());
    if (keys.isEmpty()) {
      fragments
          .problems()
          .add(
              Problem.at(
                  at,
                  ErrorCode.AUTOCDC_EMPTY_KEYS,
                  "KEYS () names no column",
                  "List the columns that identify a row, for example KEYS (id)"));
    }
    return keys;
  }

  private ColumnSelection selection(
      SourceLocation at, String clause, StatementParser.ColumnSelectionContext context) {
    if (context.included != null && context.excluded != null) {
      refuseBoth(fragments.at(context), clause);
    }
    StatementParser.ColumnNamesContext list =
        context.included != null ? context.included : context.excluded;
    List<Identifier> columns = list == null ? List.of() : fragments.columns(list);
    if (list != null && columns.isEmpty()) {
      boolean nulls = clause.startsWith("IGNORE") && context.included != null;
      fragments
          .problems()
          .add(
              Problem.at(
                  fragments.at(list),
                  nulls ? ErrorCode.AUTOCDC_IGNORE_NULL_EMPTY_COLUMN_LIST : ErrorCode.SYNTAX,
                  "the column list of " + clause + " is empty",
                  "List at least one column, or leave the list out"));
    }
    return new ColumnSelection(at, context.included == null, columns);
  }

  private void refuseBoth(SourceLocation at, String clause) {
    fragments
        .problems()
        .add(
            Problem.at(
                at,
                ErrorCode.AUTOCDC_INCOMPATIBLE_CLAUSES,
                clause + " has a list of columns to include and one to exclude",
                "Keep one of them"));
  }

  private StoredAs stored(SourceLocation at, StatementParser.StoredAsClauseContext context) {
    if (context.SCD() == null) {
      return new StoredAs(at, StoredAs.Type.BITEMPORAL);
    }
    if (context.BITEMPORAL() != null) {
      fragments.syntax(
          fragments.at(context.SCD()),
          "bitemporal is not an SCD type",
          "Did you mean STORED AS BITEMPORAL?");
      return new StoredAs(at, StoredAs.Type.BITEMPORAL);
    }
    String number = context.NUMBER().getText();
    if (!number.equals("1") && !number.equals("2")) {
      fragments.syntax(
          fragments.at(context.NUMBER()),
          "there is no SCD TYPE " + number,
          "Write STORED AS SCD TYPE 1, STORED AS SCD TYPE 2 or STORED AS BITEMPORAL");
    }
    return new StoredAs(
        at, number.equals("1") ? StoredAs.Type.SCD_TYPE_1 : StoredAs.Type.SCD_TYPE_2);
  }

  void refuseMissing(SourceLocation at, boolean sequenced) {
    if (!clauses.containsKey(KEYS)) {
      fragments.syntax(
          at,
          "the change flow has no KEYS",
          "Add KEYS (..) behind its source: the columns that identify a row");
    }
    if (sequenced && !clauses.containsKey(SEQUENCE)) {
      fragments.syntax(
          at,
          "the change flow has no SEQUENCE BY",
          "Add SEQUENCE BY and the column or expression that orders the events of a key");
    }
  }

  /** A snapshot brings its own order and its own selection (semantics 2.3). */
  void refuseOnSnapshot() {
    clauses.forEach(
        (name, context) -> {
          boolean bitemporal =
              values.get(name) instanceof StoredAs stored
                  && stored.type() == StoredAs.Type.BITEMPORAL;
          if (bitemporal || !List.of(KEYS, STORED, TRACK).contains(name)) {
            fragments
                .problems()
                .add(
                    Problem.at(
                        fragments.at(context),
                        ErrorCode.AUTOCDC_INCOMPATIBLE_CLAUSES,
                        (bitemporal ? "STORED AS BITEMPORAL" : name)
                            + " cannot be combined with FROM SNAPSHOT",
                        bitemporal
                            ? "Store a snapshot flow as SCD TYPE 1 or 2"
                            : "Remove it; filter and project inside the snapshot query"));
          }
        });
  }

  @SuppressWarnings("unchecked")
  Optional<List<Identifier>> keys() {
    return Optional.ofNullable((List<Identifier>) values.get(KEYS));
  }

  Optional<NullUpdates> nullUpdates() {
    return find("IGNORE NULL UPDATES", NullUpdates.class::cast);
  }

  Optional<SqlExpression> deleteWhen() {
    return find("APPLY AS DELETE WHEN", SqlExpression.class::cast);
  }

  Optional<SqlExpression> truncateWhen() {
    return find("APPLY AS TRUNCATE WHEN", SqlExpression.class::cast);
  }

  Optional<SqlExpression> sequenceBy() {
    return find(SEQUENCE, SqlExpression.class::cast);
  }

  Optional<SqlExpression> systemSequenceBy() {
    return find("SYSTEM SEQUENCE BY", SqlExpression.class::cast);
  }

  Optional<ColumnSelection> columns() {
    return find(COLUMNS, ColumnSelection.class::cast);
  }

  Optional<StoredAs> storedAs() {
    return find(STORED, StoredAs.class::cast);
  }

  Optional<ColumnSelection> trackHistory() {
    return find(TRACK, ColumnSelection.class::cast);
  }

  Optional<Identifier> columnsToUpdate() {
    return find("COLUMNS TO UPDATE", Identifier.class::cast);
  }

  private <T> Optional<T> find(String clause, Function<Object, T> cast) {
    return Optional.ofNullable(values.get(clause)).map(cast);
  }
}
