package io.sluice.plan;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.Problem;
import io.sluice.pipeline.TargetTable;
import io.sluice.sequencing.OrderedColumn;
import io.sluice.sequencing.TargetLayout;
import io.sluice.table.GeneratedColumns;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableUtil;
import org.apache.iceberg.flink.FlinkSchemaUtil;
import org.apache.iceberg.types.Types.NestedField;

/** Whether an existing table of somebody else has the columns of a target (semantics 0.17). */
final class Adoption {

  private Adoption() {}

  /** What keeps a table from being adopted as an AUTO CDC target. */
  static List<Problem> problems(TargetTable declared, TargetLayout layout, Table existing) {
    List<Problem> problems = new ArrayList<>();
    formatVersion(declared, existing, problems);
    for (OrderedColumn key : layout.keyColumns()) {
      if (existing.schema().findField(key.name()) == null) {
        problems.add(missing(declared, "the key column '" + key.name() + "'"));
      }
    }
    for (String column : layout.generatedColumns()) {
      NestedField field = existing.schema().findField(column);
      if (field == null) {
        if (!column.equals(GeneratedColumns.SEQUENCE)) {
          problems.add(missing(declared, "column " + column));
        }
      } else {
        LogicalType stored = FlinkSchemaUtil.convert(field.type()).copy(true);
        LogicalType wanted = layout.sequenceOf(column).type();
        if (!stored.equals(wanted.copy(true))) {
          problems.add(
              Problem.at(
                  declared.at(),
                  ErrorCode.INCOMPATIBLE_SCHEMA,
                  "table "
                      + declared.name()
                      + " cannot be adopted: its column "
                      + column
                      + " is "
                      + Sql.describe(stored)
                      + ", its sequence is "
                      + Sql.describe(wanted),
                  "CAST the sequence"));
        }
      }
    }
    return problems;
  }

  private static void formatVersion(TargetTable declared, Table existing, List<Problem> problems) {
    boolean upgraded = declared.properties().containsKey("format-version");
    if (TableUtil.formatVersion(existing) < 2 && !upgraded) {
      problems.add(
          Problem.at(
              declared.at(),
              ErrorCode.AUTOCDC_TARGET_DOES_NOT_SUPPORT_MERGE,
              "table "
                  + declared.name()
                  + " cannot be adopted: format version 1 knows no deleted rows",
              "Add the table property 'format-version' = '3', which upgrades it"));
    }
  }

  private static Problem missing(TargetTable declared, String what) {
    return Problem.at(
        declared.at(),
        ErrorCode.INCOMPATIBLE_SCHEMA,
        "table " + declared.name() + " cannot be adopted: it has not " + what,
        "Add it to the table, or fill a new table with AUTO CDC ONCE from this one");
  }
}
