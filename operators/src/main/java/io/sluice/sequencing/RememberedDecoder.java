package io.sluice.sequencing;

import io.sluice.history.Kind;
import io.sluice.history.StorageType;
import io.sluice.sequencing.KeyedRecord.Remembered;
import io.sluice.table.Companion;
import io.sluice.table.Selection;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.expressions.Expressions;

/** Makes records of the events that a companion remembers. */
final class RememberedDecoder extends ExistingRowDecoder {

  private static final long serialVersionUID = 1L;

  private final Collection collection;

  RememberedDecoder(TargetLayout layout, Collection collection) {
    super(layout);
    this.collection = collection;
  }

  @Override
  public List<String> columnNames() {
    List<String> facts =
        new ArrayList<>(
            List.of(
                Companion.KIND,
                Companion.SEQUENCE,
                Companion.FLOW,
                Companion.SOURCE,
                Companion.OFFSET,
                Companion.APPLIED_AT));
    if (layout().partial()) {
      facts.add(Companion.AUTHORED);
    }
    if (layout().type() == StorageType.BITEMPORAL) {
      facts.add(Companion.SYSTEM_SEQUENCE);
    }
    return withUserColumns(facts);
  }

  @Override
  String sequenceColumn() {
    return Companion.SEQUENCE;
  }

  @Override
  Expression filter(KeySetFilter keys) {
    return Expressions.and(
        Expressions.or(keys.ofKeys(), keys.belowTruncate(Companion.SEQUENCE)), events());
  }

  @Override
  Selection all() {
    return current();
  }

  @Override
  Selection current() {
    return new Selection(events(), List.of(), row -> true, Selection.Passes.ONE);
  }

  @Override
  KeyedRecord decode(RowKey key, RowData row, int file, long position) {
    int at = layout().columns().getFieldCount();
    String kind = row.getString(at).toString();
    boolean upsert = kind.equals(Kind.UPSERT.name());
    if (!upsert && !kind.equals(Kind.DELETE.name())) {
      return null;
    }
    long appliedAt =
        row.isNullAt(at + 5)
            ? Remembered.UNKNOWN_TIME
            : ExpiredKeysFunction.micros(row.getTimestamp(at + 5, 6));
    return new Remembered(
        key,
        sequenceAt(row, at + 1),
        layout().type() == StorageType.BITEMPORAL
            ? systemSequenceAt(row, at + (layout().partial() ? 7 : 6))
            : null,
        upsert ? valuesOf(row, authored(row, at + 6)) : null,
        textAt(row, at + 2),
        textAt(row, at + 3),
        row.isNullAt(at + 4) ? -1 : row.getLong(at + 4),
        file,
        position,
        appliedAt,
        collection.retentionOf(appliedAt));
  }

  /** An event of before the table had partial updates authors everything. */
  private StringData authored(RowData row, int position) {
    return layout().partial() && !row.isNullAt(position) ? row.getString(position) : null;
  }

  private static String textAt(RowData row, int position) {
    return row.isNullAt(position) ? null : row.getString(position).toString();
  }

  @Override
  String counterPrefix() {
    return "companion-";
  }
}
