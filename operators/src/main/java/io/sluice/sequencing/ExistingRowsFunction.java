package io.sluice.sequencing;

import io.sluice.history.InvalidSequenceException;
import io.sluice.history.SequenceEncoder;
import io.sluice.table.RowSplit;
import io.sluice.table.Selection;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.functions.co.BroadcastProcessFunction;
import org.apache.flink.table.data.RowData;
import org.apache.flink.util.Collector;
import org.apache.iceberg.Table;

/**
 * Reads the rows of the keys that have events, with their location. The key set comes by broadcast,
 * which a bounded job reads before the splits; files and row groups without these keys are skipped,
 * and so is history that ended before the least new event. A truncate makes it read, besides, all
 * rows below its sequence.
 */
public final class ExistingRowsFunction
    extends BroadcastProcessFunction<RowSplit, KeySet, PackedRecord> {

  private static final long serialVersionUID = 1L;

  /** Flink wants a state for broadcast input; the key set is kept in memory instead. */
  public static final MapStateDescriptor<Integer, Integer> BROADCAST =
      new MapStateDescriptor<>("key-sets", Types.INT, Types.INT);

  /** Below this share of wanted rows the key columns are read first, alone. */
  private static final long SPARSE = 5;

  private final Table table;
  private final ExistingRowDecoder decoder;
  private final List<String> files;

  private transient KeySet keys;
  private transient RecordReader reader;
  private transient SequenceEncoder encoder;
  private transient OrderedColumn[] keyColumns;
  private transient KeySetFilter filter;

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

  @Override
  public void processBroadcastElement(KeySet part, Context context, Collector<PackedRecord> out) {
    keys.addAll(part);
  }

  @Override
  public void processElement(RowSplit split, ReadOnlyContext context, Collector<PackedRecord> out) {
    if (keys.isEmpty()) {
      return;
    }
    if (filter == null) {
      filter = new KeySetFilter(keys, decoder.layout());
    }
    boolean sparse = keys.truncate() == null && (long) keys.size() * SPARSE < split.estimatedRows();
    Selection selection =
        new Selection(
            decoder.filter(filter),
            testedColumns(),
            this::isWanted,
            sparse ? Selection.Passes.TWO : Selection.Passes.ONE);
    reader.read(split, selection, out);
  }

  private List<String> testedColumns() {
    List<String> names = new ArrayList<>();
    decoder.layout().keyColumns().forEach(column -> names.add(column.name()));
    if (keys.truncate() != null) {
      names.add(decoder.sequenceColumn());
    }
    return names;
  }

  private boolean isWanted(RowData tested) {
    return isOfKeys(tested) || keys.truncate() != null && isBelowTruncate(tested);
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
    return keys.mayContain(new RowKey(encoder.toBytes()));
  }
}
