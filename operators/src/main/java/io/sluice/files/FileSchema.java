package io.sluice.files;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.errors.ErrorCode;
import io.sluice.errors.SluiceException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.VarCharType;
import org.apache.flink.table.types.logical.utils.LogicalTypeParser;

/**
 * The columns of a read. Names that differ in case only are one column.
 *
 * @param data all columns as the query sees them, without {@code _metadata}; {@code _rescued_data}
 *     is the last one where it exists
 * @param partitionColumns names, among the columns, that a {@code key=value} folder of a file's
 *     path fills where the record itself has no such field
 * @param rescued whether there is a {@code _rescued_data} column
 */
public record FileSchema(RowType data, List<String> partitionColumns, boolean rescued)
    implements Serializable {

  /** JSON text of what had no column or did not fit its column's type. */
  public static final String RESCUED_DATA = "_rescued_data";

  private static final ObjectMapper MAPPER = new ObjectMapper();

  public FileSchema {
    Objects.requireNonNull(data, "data");
    partitionColumns = List.copyOf(partitionColumns);
    List<String> names = data.getFieldNames();
    boolean last = !names.isEmpty() && names.get(names.size() - 1).equals(RESCUED_DATA);
    if (rescued != last || names.indexOf(RESCUED_DATA) != (last ? names.size() - 1 : -1)) {
      throw new IllegalArgumentException(RESCUED_DATA + " is not the last column of " + data);
    }
  }

  /**
   * Columns as a user declares them; a declared column {@code _rescued_data STRING} is moved to the
   * end and filled.
   *
   * @throws SluiceException INVALID_OPTION naming the column and the offending text
   */
  public static FileSchema declared(String schemaText) {
    List<RowType.RowField> columns = new ArrayList<>(SchemaText.parse(schemaText).getFields());
    boolean rescued = columns.removeIf(FileSchema::isRescuedData);
    return of(columns, List.of(), rescued);
  }

  private static boolean isRescuedData(RowType.RowField column) {
    if (!column.getName().equals(RESCUED_DATA)) {
      return false;
    }
    if (!column.getType().copy(true).equals(new VarCharType(VarCharType.MAX_LENGTH))) {
      throw new SluiceException(
          ErrorCode.INVALID_OPTION,
          "read_files schema: column '" + RESCUED_DATA + "' is " + column.getType(),
          "Rescued data is JSON text: declare it as STRING.");
    }
    return true;
  }

  /** A schema of columns without {@code _rescued_data}, which is added last where it is wanted. */
  static FileSchema of(List<RowType.RowField> columns, List<String> partitions, boolean rescued) {
    List<RowType.RowField> all = new ArrayList<>(columns);
    if (rescued) {
      all.add(new RowType.RowField(RESCUED_DATA, new VarCharType(VarCharType.MAX_LENGTH)));
    }
    return new FileSchema(new RowType(false, all), partitions, rescued);
  }

  /**
   * A schema that knows the columns of both: the previous ones keep place and type (values that do
   * not fit are rescued), new ones follow in the order of the newer schema, {@code _rescued_data}
   * stays last. A field that is new inside a nested row is not added; it is rescued.
   */
  public static FileSchema widen(FileSchema previous, FileSchema now) {
    List<RowType.RowField> columns = new ArrayList<>(previous.userColumns());
    columns.addAll(now.columnsMissingIn(previous));
    Set<String> partitions = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
    List<String> ordered = new ArrayList<>();
    for (List<String> names : List.of(previous.partitionColumns, now.partitionColumns)) {
      names.stream().filter(partitions::add).forEach(ordered::add);
    }
    return of(columns, ordered, previous.rescued || now.rescued);
  }

  /** The same columns with {@code _rescued_data} behind them. */
  public FileSchema withRescuedData() {
    return of(userColumns(), partitionColumns, true);
  }

  /** All columns but {@code _rescued_data}. */
  List<RowType.RowField> userColumns() {
    List<RowType.RowField> fields = data.getFields();
    return rescued ? fields.subList(0, fields.size() - 1) : fields;
  }

  List<RowType.RowField> columnsMissingIn(FileSchema other) {
    Set<String> known = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
    known.addAll(other.data.getFieldNames());
    return userColumns().stream().filter(column -> !known.contains(column.getName())).toList();
  }

  /** One line of JSON that {@link #fromJson} reads. */
  public String toJson() {
    ObjectNode root = MAPPER.createObjectNode();
    ArrayNode columns = root.putArray("columns");
    for (RowType.RowField column : userColumns()) {
      columns
          .addObject()
          .put("name", column.getName())
          .put("type", column.getType().asSerializableString());
    }
    ArrayNode partitions = root.putArray("partitions");
    partitionColumns.forEach(partitions::add);
    return root.put("rescued", rescued).toString();
  }

  /**
   * Reads what {@link #toJson} wrote.
   *
   * @throws SluiceException LEDGER_CORRUPT where it is something else
   */
  public static FileSchema fromJson(String json) {
    try {
      JsonNode root = MAPPER.readTree(json);
      List<RowType.RowField> columns = new ArrayList<>();
      for (JsonNode column : root.required("columns")) {
        String type = column.required("type").asText();
        columns.add(new RowType.RowField(column.required("name").asText(), parseType(type)));
      }
      List<String> partitions = new ArrayList<>();
      root.required("partitions").forEach(name -> partitions.add(name.asText()));
      return of(columns, partitions, root.required("rescued").asBoolean());
    } catch (JsonProcessingException | RuntimeException e) {
      throw new SluiceException(
          ErrorCode.LEDGER_CORRUPT,
          "the kept schema of a read_files source cannot be read: " + json,
          "A full refresh infers the schema again.",
          e);
    }
  }

  private static LogicalType parseType(String text) {
    return LogicalTypeParser.parse(text, FileSchema.class.getClassLoader());
  }
}
