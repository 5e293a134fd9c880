package io.sluice.explain;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.SluiceException;
import io.sluice.files.TextValue;
import io.sluice.sequencing.OrderedColumn;
import io.sluice.sequencing.TargetLayout;
import io.sluice.sql.Names;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;

/** Makes the values of a key of {@code column=value} texts; a field of a struct is {@code a.b}. */
final class KeyText {

  private final TargetLayout layout;
  private final Map<String, String> given;

  private KeyText(TargetLayout layout, Map<String, String> given) {
    this.layout = layout;
    this.given = given;
  }

  /**
   * The key columns in the order of KEYS, in Flink's internal form.
   *
   * @param texts a text for every key column and no other; names are found whatever their case
   * @throws SluiceException INVALID_CALL with the column concerned
   */
  static List<Object> parse(TargetLayout layout, Map<String, String> texts) {
    Map<String, String> given = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    given.putAll(texts);
    return new KeyText(layout, given).parse();
  }

  private List<Object> parse() {
    Map<String, LogicalType> wanted = new LinkedHashMap<>();
    layout.keyColumns().forEach(column -> collect(column.name(), column.type(), wanted));
    for (String name : given.keySet()) {
      if (wanted.keySet().stream().noneMatch(name::equalsIgnoreCase)) {
        throw wrong(
            "'" + name + "' is no key column of " + layout.table(),
            Names.nearest(name, wanted.keySet())
                .map(nearest -> "Did you mean '" + nearest + "'?")
                .orElse("Its key is " + String.join(", ", wanted.keySet())));
      }
    }
    List<Object> values = new ArrayList<>();
    for (OrderedColumn column : layout.keyColumns()) {
      values.add(value(column.name(), column.type()));
    }
    return values;
  }

  private static void collect(String name, LogicalType type, Map<String, LogicalType> into) {
    if (type instanceof RowType struct) {
      struct.getFields().forEach(f -> collect(name + "." + f.getName(), f.getType(), into));
    } else {
      into.put(name, type);
    }
  }

  private Object value(String name, LogicalType type) {
    if (type instanceof RowType struct) {
      GenericRowData row = new GenericRowData(struct.getFieldCount());
      for (int i = 0; i < struct.getFieldCount(); i++) {
        RowType.RowField field = struct.getFields().get(i);
        row.setField(i, value(name + "." + field.getName(), field.getType()));
      }
      return row;
    }
    String text = given.get(name);
    if (text == null) {
      throw wrong(
          "the key column '" + name + "' of " + layout.table() + " has no value",
          "Add " + name + "=value");
    }
    Optional<Object> value = TextValue.parse(type, text);
    return value.orElseThrow(
        () ->
            wrong(
                "'" + text + "' is no " + type.copy(true).asSummaryString(),
                "Write the value of the key column '" + name + "' as a CSV file would have it"));
  }

  private static SluiceException wrong(String message, String remedy) {
    return new SluiceException(ErrorCode.INVALID_CALL, message, remedy);
  }
}
