package io.sluice.sequencing;

import io.sluice.history.SequenceDecoder;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.utils.JoinedRowData;

/**
 * Makes rows in the layout of {@link EventLayout} of the rows of a snapshot: each is an upsert at
 * the snapshot's version.
 */
public final class VersionStamp extends RichMapFunction<RowData, RowData> {

  private static final long serialVersionUID = 1L;

  private final OrderedColumn column;
  private final byte[] version;

  private transient JoinedRowData stamped;
  private transient GenericRowData stamp;

  /**
   * @param column the sequence of the target
   * @param version order-preserving bytes of the version
   */
  public VersionStamp(OrderedColumn column, byte[] version) {
    this.column = column;
    this.version = version.clone();
  }

  @Override
  public void open(OpenContext context) {
    stamped = new JoinedRowData();
    stamp = GenericRowData.of(column.take(new SequenceDecoder(version)), false);
  }

  @Override
  public RowData map(RowData row) {
    return stamped.replace(row, stamp);
  }
}
