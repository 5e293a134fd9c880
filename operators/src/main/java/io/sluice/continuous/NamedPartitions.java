package io.sluice.continuous;

import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.utils.JoinedRowData;
import org.apache.flink.table.data.utils.ProjectedRowData;

/**
 * Names the partitions of a topic in rows whose last columns are INT partition and BIGINT offset:
 * they become STRING topic and partition, and the offset.
 */
public final class NamedPartitions implements MapFunction<RowData, RowData> {

  private static final long serialVersionUID = 1L;

  private final String topic;
  private final int columns;

  /**
   * @param columns how many stand before partition and offset
   */
  public NamedPartitions(String topic, int columns) {
    this.topic = topic;
    this.columns = columns;
  }

  @Override
  public RowData map(RowData row) {
    int[] kept = new int[columns];
    for (int i = 0; i < columns; i++) {
      kept[i] = i;
    }
    StringData name = StringData.fromString(topic + "-" + row.getInt(columns));
    return new JoinedRowData(
        row.getRowKind(),
        ProjectedRowData.from(kept).replaceRow(row),
        GenericRowData.of(name, row.getLong(columns + 1)));
  }
}
