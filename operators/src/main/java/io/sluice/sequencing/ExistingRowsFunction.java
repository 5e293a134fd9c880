package io.sluice.sequencing;

import io.sluice.history.InvalidSequenceException;
import io.sluice.history.SequenceEncoder;
import io.sluice.history.StorageType;
import io.sluice.sequencing.KeyedRecord.ExistingRow;
import io.sluice.table.RowSplit;
import io.sluice.table.Selection;
import io.sluice.table.SplitPruning;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.table.data.RowData;
import org.apache.flink.util.Collector;
import org.apache.iceberg.Table;
import org.apache.iceberg.expressions.Binder;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.types.Types.NestedField;

/**
 * Reads the rows of the keys that have events, with their location, as it is told by {@link
 * ReadOrder}s; row groups without these keys are skipped. Of rows that are replaced whatever they
 * hold, it reads no more than that. A truncate makes it read, besides, all rows below its sequence.
 * Of a file that is tidied it reads all rows.
 */
public final class ExistingRowsFunction extends ProcessFunction<ReadOrder, PackedRecord> {

  private static final long serialVersionUID = 1L;

  /** Below this share of wanted rows the key columns are read first, alone. */
  private static final long SPARSE = 5;

  private final Table table;
  private final ExistingRowDecoder decoder;
  private final List<String> files;

  private transient KeySet keys;
  private transient RecordReader reader;
  private transient SequenceEncoder encoder;
  private transient OrderedColumn[] keyColumns;
  private transient RowKey testedKey;
  private transient Expression filter;
  private transient boolean skipsEnded;
  private transient boolean brief;
  private transient SplitPruning replaced;
  private transient List<String> testedColumns;

  /**
   * @param table serializable copy of the table as of the planned snapshot
   * @param decoder makes records of its rows
   * @param files its data files by number
   */
  public ExistingRowsFunction(Table table, ExistingRowDecoder decoder, List<String> files) {
    this.table = table;
    this.decoder = decoder;
    this.files = List.copyOf(files);
  }

  @Override
  public void open(OpenContext context) {
    keys = new KeySet();
    encoder = new SequenceEncoder();
    keyColumns = decoder.layout().keyColumns().toArray(OrderedColumn[]::new);
    reader = new RecordReader(table, decoder, files, getRuntimeContext());
  }

  /** A reader of the rows of all keys. */
  public HeldRowsFunction ofAllKeys() {
    return HeldRowsFunction.all(table, decoder, files);
  }

  Table table() {
    return table;
  }

  ExistingRowDecoder decoder() {
    return decoder;
  }

  @Override
  public void processElement(ReadOrder order, Context context, Collector<PackedRecord> out) {
    if (order instanceof ReadOrder.Keys known) {
      keys.addAll(known.keys());
      KeySetFilter statistics = new KeySetFilter(keys, decoder.layout());
      filter = decoder.filter(statistics);
      brief = decoder.isReplacedWhole() && keys.truncate() == null && keys.hasKeys();
      replaced =
          brief
              ? new SplitPruning(table, statistics.notEndedBefore(decoder.sequenceColumn()))
              : null;
      skipsEnded =
          decoder.layout().type() == StorageType.SCD2 && mentions(filter, TargetLayout.END_AT);
      testedColumns = columnsToTest();
      return;
    }
    ReadOrder.Read read = (ReadOrder.Read) order;
    if (read.tidied()) {
      reader.readAll(read.split(), keys, out);
    } else {
      readWanted(read.split(), out);
    }
  }

  private void readWanted(RowSplit split, Collector<PackedRecord> out) {
    boolean sparse = keys.truncate() == null && (long) keys.size() * SPARSE < split.estimatedRows();
    boolean allBrief = brief && !replaced.mayMatch(split);
    Selection selection =
        new Selection(
            filter,
            testedColumns,
            this::isWanted,
            sparse || allBrief ? Selection.Passes.TWO : Selection.Passes.ONE);
    reader.read(split, selection, this::brief, out);
  }

  /** A row below every new event as what an event of its key replaces; null for any other. */
  private ExistingRow brief(RowData tested, int file, long position) {
    if (!brief) {
      return null;
    }
    byte[] sequence = decoder.sequenceAt(tested, keyColumns.length);
    return sequence == null || Arrays.compareUnsigned(sequence, keys.leastSequence()) >= 0
        ? null
        : new ExistingRow(testedKey, sequence, null, null, file, position);
  }

  private List<String> columnsToTest() {
    List<String> names = new ArrayList<>();
    decoder.layout().keyColumns().forEach(column -> names.add(column.name()));
    if (keys.truncate() != null || brief) {
      names.add(decoder.sequenceColumn());
    }
    if (skipsEnded) {
      names.add(TargetLayout.END_AT);
    }
    return names;
  }

  private boolean mentions(Expression expression, String column) {
    NestedField field = table.schema().findField(column);
    return field != null
        && Binder.boundReferences(table.schema().asStruct(), List.of(expression), true)
            .contains(field.fieldId());
  }

  private boolean isWanted(RowData tested) {
    return isOfKeys(tested) && !(skipsEnded && hasEnded(tested))
        || keys.truncate() != null && isBelowTruncate(tested);
  }

  /** The version ended before the least new event: what the statistics of its file did not tell. */
  private boolean hasEnded(RowData tested) {
    byte[] end = decoder.sequenceAt(tested, testedColumns.size() - 1);
    return end != null && Arrays.compareUnsigned(end, keys.leastSequence()) < 0;
  }

  private boolean isBelowTruncate(RowData tested) {
    if (decoder.layout().partial()) {
      return true;
    }
    byte[] sequence = decoder.sequenceAt(tested, keyColumns.length);
    return sequence == null || Arrays.compareUnsigned(sequence, keys.truncate()) < 0;
  }

  private boolean isOfKeys(RowData keyRow) {
    if (!keys.hasKeys()) {
      return false;
    }
    encoder.reset();
    try {
      for (int i = 0; i < keyColumns.length; i++) {
        keyColumns[i].append(keyRow, i, encoder);
      }
    } catch (InvalidSequenceException e) {
      return false;
    }
    testedKey = new RowKey(encoder.toBytes());
    return keys.mayContain(testedKey);
  }
}
