package io.sluice.sequencing;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.table.types.logical.BooleanType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;

/**
 * How the rows of a CDC flow are laid out: first the user columns of the target, in its order, then
 * the sequence, then a BOOLEAN that is TRUE for deletes; then, each only where the flow has it, a
 * BOOLEAN that is TRUE for truncates, an ARRAY of the names of the columns to update, and the
 * position of the record: INT number of the source, BIGINT offset.
 *
 * @param columns the user columns of the target
 * @param keys positions of the key columns among them, in the order of KEYS
 * @param sequence the sequence column
 * @param truncates whether the column that marks truncates is there
 * @param authorship which columns its events write
 * @param partial whether the target has partial updates, so that events say which columns they
 *     write
 * @param positioned whether the position columns are there
 */
public record EventLayout(
    RowType columns,
    List<Integer> keys,
    OrderedColumn sequence,
    boolean truncates,
    Authorship authorship,
    boolean partial,
    boolean positioned)
    implements Serializable {

  public EventLayout {
    keys = List.copyOf(keys);
  }

  public int sequencePosition() {
    return columns.getFieldCount();
  }

  public int deletePosition() {
    return sequencePosition() + 1;
  }

  public int truncatePosition() {
    return deletePosition() + 1;
  }

  public int updateListPosition() {
    return truncatePosition() + (truncates ? 1 : 0);
  }

  public int sourcePosition() {
    return updateListPosition() + (authorship.listed() ? 1 : 0);
  }

  public int offsetPosition() {
    return sourcePosition() + 1;
  }

  /** Number of columns of a row of the flow. */
  public int arity() {
    return sourcePosition() + (positioned ? 2 : 0);
  }

  /** What of a row is shown when it is invalid: the columns, the sequence and what it does. */
  RowType described() {
    List<RowType.RowField> fields = new ArrayList<>(columns.getFields());
    fields.add(new RowType.RowField("__SEQUENCE", sequence.type()));
    fields.add(new RowType.RowField("__DELETE", new BooleanType()));
    if (truncates) {
      fields.add(new RowType.RowField("__TRUNCATE", new BooleanType()));
    }
    return new RowType(false, fields);
  }

  /** The key columns, in the order of KEYS. */
  public List<OrderedColumn> keyColumns() {
    List<LogicalType> types = columns.getChildren();
    List<String> names = columns.getFieldNames();
    return keys.stream().map(at -> OrderedColumn.ofKey(names.get(at), types.get(at))).toList();
  }
}
