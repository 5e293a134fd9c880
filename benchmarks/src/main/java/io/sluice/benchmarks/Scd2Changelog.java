package io.sluice.benchmarks;

import java.util.Map;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.runtime.typeutils.RowDataSerializer;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.types.RowKind;
import org.apache.flink.util.Collector;

/**
 * What a data engineer writes by hand to keep an SCD type 2 table through Flink's own sink: the
 * events of a key in a map by sequence, and for each event the rows that it changes, retracted and
 * sent anew. In-order events look at the newest one only. Rows are the feed's user columns, BIGINT
 * {@code start_at}, BIGINT {@code end_at}.
 */
final class Scd2Changelog extends KeyedProcessFunction<Long, RowData, RowData> {

  private static final long serialVersionUID = 1L;

  private final RowType event;
  private final int columns;
  private final int operation;
  private final int sequence;

  private transient MapState<Long, RowData> events;
  private transient ValueState<Long> newest;
  private transient TypeSerializer<RowData> serializer;
  private transient RowData.FieldGetter[] getters;

  /**
   * @param event user columns, STRING operation, BIGINT sequence
   */
  Scd2Changelog(RowType event) {
    this.event = event;
    this.columns = event.getFieldCount() - 2;
    this.operation = columns;
    this.sequence = columns + 1;
  }

  @Override
  public void open(OpenContext context) {
    serializer = new RowDataSerializer(event);
    events =
        getRuntimeContext()
            .getMapState(
                new MapStateDescriptor<>(
                    "events",
                    org.apache.flink.api.common.typeutils.base.LongSerializer.INSTANCE,
                    serializer));
    newest = getRuntimeContext().getState(new ValueStateDescriptor<>("newest", Types.LONG));
    getters = new RowData.FieldGetter[columns];
    for (int i = 0; i < columns; i++) {
      getters[i] = RowData.createFieldGetter(event.getTypeAt(i), i);
    }
  }

  @Override
  public void processElement(RowData row, Context context, Collector<RowData> out)
      throws Exception {
    RowData kept = serializer.copy(row);
    long at = kept.getLong(sequence);
    Long last = newest.value();
    Long before = last;
    Long after = null;
    if (last != null && last > at) {
      before = null;
      for (Map.Entry<Long, RowData> each : events.entries()) {
        long other = each.getKey();
        if (other < at && (before == null || other > before)) {
          before = other;
        }
        if (other > at && (after == null || other < after)) {
          after = other;
        }
      }
    } else {
      newest.update(at);
    }
    if (before != null) {
      RowData previous = events.get(before);
      if (!isDelete(previous)) {
        out.collect(version(RowKind.UPDATE_BEFORE, previous, before, after));
        out.collect(version(RowKind.UPDATE_AFTER, previous, before, at));
      }
    }
    if (!isDelete(kept)) {
      out.collect(version(RowKind.INSERT, kept, at, after));
    }
    events.put(at, kept);
  }

  private boolean isDelete(RowData row) {
    return row.getString(operation).toString().equals("D");
  }

  private RowData version(RowKind kind, RowData row, long start, Long end) {
    GenericRowData version = new GenericRowData(kind, columns + 2);
    for (int i = 0; i < columns; i++) {
      version.setField(i, getters[i].getFieldOrNull(row));
    }
    version.setField(columns, start);
    version.setField(columns + 1, end);
    return version;
  }
}
