package io.sluice.files;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;

/** Puts the fields of a file's row at the columns of the same name, converted. */
final class TypedRowConversion {

  /**
   * One field of the file.
   *
   * @param column where it goes, or {@link FieldLookup#UNKNOWN}
   * @param conversion empty where its type cannot be the column's
   */
  private record Field(
      String name,
      LogicalType type,
      RowData.FieldGetter getter,
      int column,
      Optional<TypedConversion> conversion) {}

  private final List<RowType.RowField> columns;
  private final Field[] fields;

  TypedRowConversion(RowType fileType, List<RowType.RowField> columns) {
    this.columns = columns;
    this.fields = new Field[fileType.getFieldCount()];
    FieldLookup lookup = new FieldLookup(columns.stream().map(RowType.RowField::getName).toList());
    for (int index = 0; index < fields.length; index++) {
      RowType.RowField field = fileType.getFields().get(index);
      int column = lookup.find(field.getName());
      fields[index] =
          new Field(
              field.getName(),
              field.getType(),
              RowData.createFieldGetter(field.getType(), index),
              column,
              column == FieldLookup.UNKNOWN
                  ? Optional.empty()
                  : TypedConversions.of(field.getType(), columns.get(column).getType()));
    }
  }

  /** A field whose type its column does not take, as text; empty where all fit. */
  Optional<String> incompatibility() {
    for (Field field : fields) {
      if (field.column() != FieldLookup.UNKNOWN && field.conversion().isEmpty()) {
        return Optional.of(
            "column '"
                + field.name()
                + "' is "
                + columns.get(field.column()).getType().asSummaryString()
                + ", the file has "
                + field.type().asSummaryString());
      }
    }
    return Optional.empty();
  }

  /** Fields that the file lacks stay as they are in the row. */
  void convert(RowData from, RecordFaults faults, GenericRowData row) throws IOException {
    for (Field field : fields) {
      Object value = field.getter().getFieldOrNull(from);
      Object converted = null;
      if (value != null && field.conversion().isPresent()) {
        converted = field.conversion().get().convert(value, faults, field.name());
      } else if (field.column() == FieldLookup.UNKNOWN) {
        keep(faults.unknown(field.name(), value == null), value, field.type());
      } else if (value != null) {
        LogicalType type = columns.get(field.column()).getType();
        String found = field.type().asSummaryString();
        keep(faults.mismatch(field.name(), type, found), value, field.type());
      }
      if (field.column() != FieldLookup.UNKNOWN) {
        row.setField(field.column(), converted);
      }
    }
  }

  private static void keep(JsonGenerator to, Object value, LogicalType type) throws IOException {
    if (to != null) {
      JsonValues.write(to, value, type);
    }
  }
}
