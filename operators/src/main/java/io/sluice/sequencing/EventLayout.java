package io.sluice.sequencing;

import java.io.Serializable;
import java.util.List;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;

/**
 * How the rows of a CDC flow are laid out: first the user columns of the target, in its order, then
 * the sequence, for a bitemporal target the system sequence, then a BOOLEAN that is TRUE for
 * deletes, then, where the flow's query keeps it, the position of the record: INT number of the
 * source, BIGINT offset.
 *
 * @param columns the user columns of the target
 * @param keys positions of the key columns among them, in the order of KEYS
 * @param sequence the sequence column
 * @param systemSequence the system sequence column; null where there is none
 * @param positioned whether the position columns are there
 */
public record EventLayout(
    RowType columns,
    List<Integer> keys,
    OrderedColumn sequence,
    OrderedColumn systemSequence,
    boolean positioned)
    implements Serializable {

  public EventLayout {
    keys = List.copyOf(keys);
  }

  public int sequencePosition() {
    return columns.getFieldCount();
  }

  /** Of a bitemporal target only. */
  public int systemSequencePosition() {
    return columns.getFieldCount() + 1;
  }

  public int deletePosition() {
    return columns.getFieldCount() + (systemSequence == null ? 1 : 2);
  }

  public int sourcePosition() {
    return deletePosition() + 1;
  }

  public int offsetPosition() {
    return deletePosition() + 2;
  }

  /** Number of columns of a row of the flow. */
  public int arity() {
    return deletePosition() + (positioned ? 3 : 1);
  }

  /** The key columns, in the order of KEYS. */
  public List<OrderedColumn> keyColumns() {
    List<LogicalType> types = columns.getChildren();
    List<String> names = columns.getFieldNames();
    return keys.stream().map(at -> OrderedColumn.ofKey(names.get(at), types.get(at))).toList();
  }
}
