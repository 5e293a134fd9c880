package io.sluice.continuous;

import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;
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
  private final int[] columns;

  private transient Map<Integer, StringData> names;

  /**
   * @param columns how many stand before partition and offset
   */
  public NamedPartitions(String topic, int columns) {
    this.topic = topic;
    this.columns = IntStream.range(0, columns).toArray();
  }

  @Override
  public RowData map(RowData row) {
    int partition = columns.length;
    return new JoinedRowData(
        row.getRowKind(),
        ProjectedRowData.from(columns).replaceRow(row),
        GenericRowData.of(nameOf(row.getInt(partition)), row.getLong(partition + 1)));
  }

  private StringData nameOf(int partition) {
    if (names == null) {
      names = new HashMap<>();
    }
    return names.computeIfAbsent(partition, number -> StringData.fromString(topic + "-" + number));
  }
}
