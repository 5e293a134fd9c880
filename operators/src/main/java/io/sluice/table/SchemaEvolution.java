package io.sluice.table;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.Problem;
import io.sluice.errors.SluiceException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.Transaction;
import org.apache.iceberg.UpdateSchema;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.TypeUtil;
import org.apache.iceberg.types.Types.ListType;
import org.apache.iceberg.types.Types.MapType;
import org.apache.iceberg.types.Types.NestedField;
import org.apache.iceberg.types.Types.StructType;

/**
 * Add-only changes of a table's columns (semantics 0.13): new optional columns, at the top before
 * the generated ones, and wider types. A column that the wanted schema lacks stays; a wanted type
 * that the table's type can hold already needs no change.
 */
final class SchemaEvolution {

  private final Table table;
  private final UpdateSchema update;
  private final Set<String> fixed;
  private final Predicate<String> isGenerated;
  private final List<Problem> problems = new ArrayList<>();
  private boolean changed;

  private SchemaEvolution(
      Table table, UpdateSchema update, Set<String> fixed, Predicate<String> isGenerated) {
    this.table = table;
    this.update = update;
    this.fixed = fixed;
    this.isGenerated = isGenerated;
  }

  /**
   * Brings a table's columns to hold the wanted ones, in a commit of its own; none if they do. What
   * was added is noted with it, see {@link AddedColumns}.
   *
   * @param fixed top-level columns whose type and nullability must not change
   * @param isGenerated names of the columns that stay behind all others
   * @throws SluiceException INCOMPATIBLE_SCHEMA with every column that does not fit
   */
  static void apply(Table table, Schema wanted, Set<String> fixed, Predicate<String> isGenerated) {
    Transaction transaction = table.newTransaction();
    SchemaEvolution evolution =
        new SchemaEvolution(table, transaction.updateSchema(), fixed, isGenerated);
    evolution.columns(wanted);
    if (!evolution.problems.isEmpty()) {
      throw new SluiceException(evolution.problems);
    }
    if (evolution.changed) {
      evolution.update.commit();
      AddedColumns.note(table, transaction);
      transaction.commitTransaction();
      table.refresh();
    }
  }

  private void columns(Schema wanted) {
    Optional<String> firstGenerated =
        table.schema().columns().stream().map(NestedField::name).filter(isGenerated).findFirst();
    for (NestedField column : wanted.columns()) {
      NestedField present = table.schema().asStruct().field(column.name());
      if (present != null) {
        compare(column.name(), present, column);
      } else if (isGenerated.test(column.name())) {
        problem("column " + column.name() + " is missing and cannot be added to written rows");
      } else {
        update.addColumn(null, column.name(), column.type(), column.doc());
        firstGenerated.ifPresent(first -> update.moveBefore(column.name(), first));
        changed = true;
      }
    }
  }

  private void compare(String path, NestedField present, NestedField wanted) {
    if (wanted.isOptional() && present.isRequired() && !fixed.contains(path)) {
      update.makeColumnOptional(path);
      changed = true;
    }
    compare(path, present.type(), wanted.type());
  }

  private void compare(String path, Type present, Type wanted) {
    if (present instanceof StructType presentStruct && wanted instanceof StructType wantedStruct) {
      for (NestedField field : wantedStruct.fields()) {
        NestedField presentField = presentStruct.field(field.name());
        if (presentField != null) {
          compare(path + "." + field.name(), presentField, field);
        } else if (fixed.contains(topLevel(path))) {
          problem("column " + path + " has no field " + field.name());
        } else {
          update.addColumn(path, field.name(), field.type(), field.doc());
          changed = true;
        }
      }
    } else if (present instanceof ListType presentList && wanted instanceof ListType wantedList) {
      compare(path + ".element", presentList.elementType(), wantedList.elementType());
    } else if (present instanceof MapType presentMap && wanted instanceof MapType wantedMap) {
      if (!holds(presentMap.keyType(), wantedMap.keyType())) {
        mismatch(path + ".key", presentMap.keyType(), wantedMap.keyType());
      }
      compare(path + ".value", presentMap.valueType(), wantedMap.valueType());
    } else if (!holds(present, wanted)) {
      if (present.isPrimitiveType()
          && wanted.isPrimitiveType()
          && !fixed.contains(topLevel(path))
          && TypeUtil.isPromotionAllowed(present, wanted.asPrimitiveType())) {
        update.updateColumn(path, wanted.asPrimitiveType());
        changed = true;
      } else {
        mismatch(path, present, wanted);
      }
    }
  }

  /** Whether every value of one type is, unchanged, a value of the other. */
  private static boolean holds(Type present, Type wanted) {
    return present.equals(wanted)
        || (present.isPrimitiveType()
            && wanted.isPrimitiveType()
            && TypeUtil.isPromotionAllowed(wanted, present.asPrimitiveType()));
  }

  private static String topLevel(String path) {
    int dot = path.indexOf('.');
    return dot < 0 ? path : path.substring(0, dot);
  }

  private void mismatch(String path, Type present, Type wanted) {
    problem("column " + path + " has type " + present + " in the table and should be " + wanted);
  }

  private void problem(String what) {
    problems.add(
        Problem.of(
            ErrorCode.INCOMPATIBLE_SCHEMA,
            "table " + table.name() + ": " + what,
            "Change the query to deliver the table's type, or drop the table and run with "
                + "--full-refresh"));
  }
}
