package io.sluice.files;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;

/**
 * Reads a JSON object into the fields of a row, token by token. Two fields for one column, be it by
 * the same name or by names that differ in case, make the record malformed: neither is surely
 * right.
 */
final class JsonRowReader {

  private final FieldLookup lookup;
  private final JsonReader[] readers;
  private final boolean[] seen;

  /**
   * A reader for the columns, in order.
   *
   * @param columns those that the data may hold
   */
  JsonRowReader(List<RowType.RowField> columns) {
    this.lookup = new FieldLookup(columns.stream().map(RowType.RowField::getName).toList());
    this.readers =
        columns.stream().map(column -> JsonReaders.of(column.getType())).toArray(JsonReader[]::new);
    this.seen = new boolean[readers.length];
  }

  static JsonReader nested(RowType type) {
    JsonRowReader reader = new JsonRowReader(type.getFields());
    LogicalType rowType = type;
    return (parser, faults, field) -> {
      if (parser.currentToken() != JsonToken.START_OBJECT) {
        return JsonReaders.mismatch(parser, faults, field, rowType);
      }
      GenericRowData row = new GenericRowData(type.getFieldCount());
      int place = faults.enter(field);
      reader.read(parser, faults, row);
      faults.leave(place);
      return row;
    };
  }

  /**
   * Reads the object whose first token is the current one; fields that it lacks stay as they are.
   */
  void read(JsonParser parser, RecordFaults faults, GenericRowData row) throws IOException {
    Arrays.fill(seen, false);
    int position = 0;
    for (String name = parser.nextFieldName(); name != null; name = parser.nextFieldName()) {
      JsonToken token = parser.nextToken();
      int column = lookup.find(name, position++);
      if (column == FieldLookup.UNKNOWN) {
        JsonReaders.copy(parser, faults.unknown(name, token == JsonToken.VALUE_NULL));
        continue;
      }
      if (seen[column]) {
        faults.fail("there are two fields for the column '" + faults.fullName(name) + "'");
      }
      seen[column] = true;
      row.setField(
          column,
          token == JsonToken.VALUE_NULL ? null : readers[column].read(parser, faults, name));
    }
  }
}
