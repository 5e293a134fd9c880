package io.sluice.sequencing;

import io.sluice.history.StorageType;
import io.sluice.sequencing.KeyedRecord.Seeded;
import io.sluice.table.Companion;
import io.sluice.table.Selection;
import java.util.List;
import org.apache.flink.table.data.RowData;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.expressions.Expressions;

/** Tells which sequences keys had as of a seed's commit, or before it (semantics 0.15). */
abstract sealed class SeededDecoder extends ExistingRowDecoder {

  private static final long serialVersionUID = 1L;

  private final int seed;
  private final boolean before;

  private SeededDecoder(TargetLayout layout, int seed, boolean before) {
    super(layout);
    this.seed = seed;
    this.before = before;
  }

  final Seeded seeded(RowKey key, byte[] first, byte[] second) {
    return new Seeded(key, seed, before, first, second);
  }

  static final class OfTarget extends SeededDecoder {

    private static final long serialVersionUID = 1L;

    OfTarget(TargetLayout layout, int seed, boolean before) {
      super(layout, seed, before);
    }

    @Override
    public List<String> columnNames() {
      return withUserColumns(layout().generatedColumns());
    }

    @Override
    Expression filter(KeySetFilter keys) {
      return Expressions.and(keys.ofKeys(), keys.reachesLeast(layout().generatedColumns()));
    }

    @Override
    String sequenceColumn() {
      return layout().generatedColumns().get(0);
    }

    @Override
    Selection current() {
      return Selection.all();
    }

    @Override
    KeyedRecord decode(RowKey key, RowData row, int file, long position) {
      int columns = layout().columns().getFieldCount();
      byte[] end = layout().type() == StorageType.SCD2 ? sequenceAt(row, columns + 1) : null;
      return seeded(key, sequenceAt(row, columns), end);
    }

    @Override
    String counterPrefix() {
      return "seed-";
    }
  }

  static final class OfCompanion extends SeededDecoder {

    private static final long serialVersionUID = 1L;

    OfCompanion(TargetLayout layout, int seed, boolean before) {
      super(layout, seed, before);
    }

    @Override
    public List<String> columnNames() {
      return withUserColumns(List.of(Companion.SEQUENCE));
    }

    @Override
    Expression filter(KeySetFilter keys) {
      return Expressions.and(
          Expressions.and(keys.ofKeys(), keys.reachesLeast(List.of(Companion.SEQUENCE))), events());
    }

    @Override
    String sequenceColumn() {
      return Companion.SEQUENCE;
    }

    @Override
    Selection current() {
      return new Selection(events(), List.of(), row -> true, Selection.Passes.ONE);
    }

    @Override
    KeyedRecord decode(RowKey key, RowData row, int file, long position) {
      int sequence = layout().columns().getFieldCount();
      return seeded(key, sequenceAt(row, sequence), null);
    }

    @Override
    String counterPrefix() {
      return "seed-companion-";
    }
  }
}
