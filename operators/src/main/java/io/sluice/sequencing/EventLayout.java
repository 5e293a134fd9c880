package io.sluice.sequencing;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.table.types.logical.BooleanType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;

/**
 * How the rows of a CDC flow are laid out: first the user columns of the target, in its order, then
 * the sequence, for a bitemporal target the system sequence, then a BOOLEAN that is TRUE for
 * deletes; then, each only where the flow has it, a BOOLEAN that is TRUE for truncates, an ARRAY of
 * the names of the columns to update, and the position of the record: INT number or STRING name of
 * the source, BIGINT offset.
 *
 * @param columns the user columns of the target
 * @param keys positions of the key columns among them, in the order of KEYS
 * @param sequence the sequence column
 * @param systemSequence the system sequence column; null where there is none
 * @param truncates whether the column that marks truncates is there
 * @param authorship which columns its events write
 * @param partial whether the target has partial updates, so that events say which columns they
 *     write
 * @param position how its rows tell their place in the source
 */
public record EventLayout(
    RowType columns,
    List<Integer> keys,
    OrderedColumn sequence,
    OrderedColumn systemSequence,
    boolean truncates,
    Authorship authorship,
    boolean partial,
    Position position)
    implements Serializable {

  /** The columns with the place of a record in its source. */
  public enum Position {
    /** There are none. */
    NONE,
    /** INT number of the source among those of the update. */
    NUMBERED,
    /** STRING name of the source, where the sources are not known before the job starts. */
    NAMED
  }

  public EventLayout {
    keys = List.copyOf(keys);
  }

  /** Whether the position columns are there. */
  public boolean positioned() {
    return position != Position.NONE;
  }

  public int sequencePosition() {
    return columns.getFieldCount();
  }

  /** Of a bitemporal target only. */
  public int systemSequencePosition() {
    return sequencePosition() + 1;
  }

  public int deletePosition() {
    return sequencePosition() + (systemSequence == null ? 1 : 2);
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
    return sourcePosition() + (positioned() ? 2 : 0);
  }

  /** What of a row is shown when it is invalid: the columns, the sequences and what it does. */
  RowType described() {
    List<RowType.RowField> fields = new ArrayList<>(columns.getFields());
    fields.add(new RowType.RowField("__SEQUENCE", sequence.type()));
    if (systemSequence != null) {
      fields.add(new RowType.RowField("__SYSTEM_SEQUENCE", systemSequence.type()));
    }
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
