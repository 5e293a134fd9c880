package io.sluice.plan;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.errors.ErrorCode;
import io.sluice.errors.SluiceException;
import io.sluice.history.InvalidSequenceException;
import io.sluice.history.SequenceDecoder;
import io.sluice.history.SequenceEncoder;
import io.sluice.sequencing.OrderedColumn;
import io.sluice.sequencing.RowText;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.utils.LogicalTypeParser;

/**
 * A version of a snapshot flow, as the ledger keeps it.
 *
 * @param column its column
 * @param bytes its order-preserving form
 */
public record SnapshotVersion(VersionColumn column, byte[] bytes)
    implements Comparable<SnapshotVersion> {

  private static final ObjectMapper JSON = new ObjectMapper();

  /**
   * The version in the first column of a row.
   *
   * @throws InvalidSequenceException if it is NULL or NaN, or a field of it is
   */
  static SnapshotVersion of(VersionColumn column, RowData row) throws InvalidSequenceException {
    SequenceEncoder encoder = new SequenceEncoder();
    ordered(column).append(row, 0, encoder.reset());
    return new SnapshotVersion(column, encoder.toBytes());
  }

  private static OrderedColumn ordered(VersionColumn column) {
    return OrderedColumn.ofSequence("version", column.type());
  }

  /** The one row of a version function. */
  RowData row() {
    return GenericRowData.of(value());
  }

  /** The value in Flink's internal form. */
  Object value() {
    return ordered(column).take(new SequenceDecoder(bytes));
  }

  /** The value as the function of a flow sees it. */
  Object toJava() {
    return JavaVersion.toJava(column.type(), value());
  }

  @Override
  public int compareTo(SnapshotVersion other) {
    return Arrays.compareUnsigned(bytes, other.bytes);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SnapshotVersion that
        && column.equals(that.column)
        && Arrays.equals(bytes, that.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  /** The value for people. */
  @Override
  public String toString() {
    return RowText.of(column.type(), value());
  }

  /** What the ledger holds. */
  public String toJson() {
    ObjectNode root = JSON.createObjectNode();
    column.name().ifPresent(name -> root.put("column", name));
    return root.put("type", column.type().copy(true).asSerializableString())
        .put("value", toString())
        .put("bytes", HexFormat.of().formatHex(bytes))
        .toString();
  }

  /**
   * Reads what {@link #toJson} wrote.
   *
   * @throws SluiceException LEDGER_CORRUPT if it is something else
   */
  static SnapshotVersion fromJson(String json) {
    try {
      JsonNode root = JSON.readTree(json);
      LogicalType type =
          LogicalTypeParser.parse(
              root.required("type").asText(), SnapshotVersion.class.getClassLoader());
      return new SnapshotVersion(
          new VersionColumn(
              Optional.ofNullable(root.get("column")).map(JsonNode::asText), type.copy(true)),
          HexFormat.of().parseHex(root.required("bytes").asText()));
    } catch (JsonProcessingException | RuntimeException e) {
      throw new SluiceException(
          ErrorCode.LEDGER_CORRUPT,
          "a snapshot version in the ledger cannot be read: " + json,
          "Roll the table back to an earlier snapshot, or run it with --full-refresh",
          e);
    }
  }
}
