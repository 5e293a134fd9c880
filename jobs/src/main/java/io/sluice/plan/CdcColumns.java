package io.sluice.plan;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.Problem;
import io.sluice.pipeline.CdcDefinition;
import io.sluice.pipeline.Flow;
import io.sluice.sequencing.TargetLayout;
import io.sluice.sql.ColumnSelection;
import io.sluice.sql.Identifier;
import io.sluice.sql.Names;
import io.sluice.sql.NullUpdates;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.flink.table.types.logical.ArrayType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.LogicalTypeRoot;
import org.apache.flink.table.types.logical.RowType;

/** Which columns of its source a CDC flow delivers, and which of them open a version. */
final class CdcColumns {

  private static final Set<String> RESERVED =
      Set.of(
          TargetLayout.START_AT,
          TargetLayout.END_AT,
          TargetLayout.SEQUENCE,
          "__SYSTEM_START_AT",
          "__SYSTEM_END_AT");

  private final Flow flow;
  private final List<Problem> problems;

  /**
   * @param problems where problems are added
   */
  CdcColumns(Flow flow, List<Problem> problems) {
    this.flow = flow;
    this.problems = problems;
  }

  /** The columns that the flow delivers, in source order (semantics 4.5). */
  RowType delivered(RowType source) {
    CdcDefinition cdc = flow.cdc().orElseThrow();
    Set<String> selected = selected(cdc.columns(), source, "COLUMNS");
    Set<String> keys = names();
    for (Identifier key : cdc.keys()) {
      Optional<String> column = find(source, key.text());
      if (column.isEmpty()) {
        notFound(key, "KEYS", source);
        continue;
      }
      keys.add(column.get());
      if (!selected.contains(column.get())) {
        problems.add(
            Problem.at(
                key.at(),
                ErrorCode.AUTOCDC_KEY_COLUMN_EXCLUDED,
                "flow '" + flow.name() + "': COLUMNS leaves out the key column '" + key + "'",
                "Keep key columns in COLUMNS"));
      }
    }
    Optional<String> updateList = updateList(source).map(RowType.RowField::getName);
    List<RowType.RowField> fields = new ArrayList<>();
    for (RowType.RowField field : source.getFields()) {
      if (!selected.contains(field.getName()) || updateList.equals(Optional.of(field.getName()))) {
        continue;
      }
      if (RESERVED.stream().anyMatch(field.getName()::equalsIgnoreCase)) {
        problems.add(
            Problem.at(
                flow.at(),
                ErrorCode.AUTOCDC_RESERVED_COLUMN,
                "flow '"
                    + flow.name()
                    + "' delivers column '"
                    + field.getName()
                    + "', a name that Sluice uses itself",
                "Rename it in the source query or leave it out with COLUMNS * EXCEPT ("
                    + field.getName()
                    + ")"));
      }
      fields.add(
          keys.contains(field.getName())
              ? new RowType.RowField(field.getName(), field.getType().copy(true))
              : field);
    }
    return new RowType(false, fields);
  }

  /**
   * The array column that names the columns to update (semantics 0.6); it is delivered to nobody.
   */
  Optional<RowType.RowField> updateList(RowType source) {
    Optional<Identifier> written = flow.cdc().orElseThrow().columnsToUpdate();
    if (written.isEmpty()) {
      return Optional.empty();
    }
    Identifier name = written.get();
    Optional<RowType.RowField> field =
        find(source, name.text())
            .map(column -> source.getFields().get(source.getFieldNames().indexOf(column)));
    if (field.isEmpty()) {
      notFound(name, "COLUMNS TO UPDATE", source);
    } else if (!isTextArray(field.get().getType())) {
      problems.add(
          Problem.at(
              name.at(),
              ErrorCode.INVALID_QUERY,
              "flow '"
                  + flow.name()
                  + "': COLUMNS TO UPDATE names column '"
                  + name
                  + "' of type "
                  + Sql.describe(field.get().getType())
                  + " instead of ARRAY<STRING>",
              "Name a column that holds the names of the columns to update"));
    }
    return field;
  }

  private static boolean isTextArray(LogicalType type) {
    return type instanceof ArrayType array
        && (array.getElementType().is(LogicalTypeRoot.VARCHAR)
            || array.getElementType().is(LogicalTypeRoot.CHAR));
  }

  /** The delivered columns in which NULL means unchanged (semantics 8.1). */
  Set<String> ignoringNull(RowType source) {
    Optional<NullUpdates> clause = flow.cdc().orElseThrow().nullUpdates();
    if (clause.isEmpty()) {
      return names();
    }
    return selected(clause.get().columns(), source, "IGNORE NULL UPDATES ON");
  }

  /** The columns of the target that open a new version (semantics 7), as far as they exist. */
  Set<String> tracked(RowType source, RowType target) {
    CdcDefinition cdc = flow.cdc().orElseThrow();
    Set<String> keys = names();
    cdc.keys().forEach(key -> keys.add(key.text()));
    Set<String> tracked = names();
    Optional<ColumnSelection> selection = cdc.trackHistory();
    selection.ifPresent(each -> selected(Optional.of(each), source, "TRACK HISTORY ON"));
    for (String column : target.getFieldNames()) {
      boolean listed =
          selection.isPresent()
              && selection.get().columns().stream()
                  .anyMatch(name -> name.text().equalsIgnoreCase(column));
      boolean included = selection.isEmpty() || listed != selection.get().except();
      if (included && !keys.contains(column)) {
        tracked.add(column);
      }
    }
    return tracked;
  }

  private Set<String> selected(Optional<ColumnSelection> selection, RowType source, String clause) {
    Set<String> all = names();
    all.addAll(source.getFieldNames());
    if (selection.isEmpty()) {
      return all;
    }
    Set<String> listed = names();
    for (Identifier column : selection.get().columns()) {
      Optional<String> name = find(source, column.text());
      if (name.isEmpty()) {
        notFound(column, clause, source);
      } else {
        listed.add(name.get());
      }
    }
    if (selection.get().except()) {
      all.removeAll(listed);
      return all;
    }
    return listed;
  }

  private void notFound(Identifier column, String clause, RowType source) {
    problems.add(
        Problem.at(
            column.at(),
            ErrorCode.AUTOCDC_COLUMNS_NOT_FOUND_IN_SCHEMA,
            "flow '"
                + flow.name()
                + "': "
                + clause
                + " names column '"
                + column
                + "', which its source does not have",
            Names.nearest(column.text(), source.getFieldNames())
                .map(name -> "Did you mean '" + name + "'?")
                .orElse("The columns are " + String.join(", ", source.getFieldNames()))));
  }

  private static Optional<String> find(RowType source, String name) {
    return source.getFieldNames().stream().filter(name::equalsIgnoreCase).findFirst();
  }

  private static Set<String> names() {
    return new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
  }
}
