package io.sluice.sequencing;

import io.sluice.files.JsonValues;
import io.sluice.history.InvalidSequenceException;
import io.sluice.history.SequenceEncoder;
import io.sluice.sequencing.EventLayout.Position;
import io.sluice.sequencing.KeyedRecord.NewEvent;
import org.apache.flink.api.common.accumulators.LongCounter;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.binary.BinaryRowData;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;

/**
 * Makes events of the rows of one CDC flow. A row with a NULL key, a key that was not sent, or a
 * NULL or NaN sequence, on either axis, goes to {@link #INVALID} instead (semantics 0.3); the
 * sequence of a truncate, which needs no key, to {@link #TRUNCATES} (semantics 0.8).
 */
public final class EventEncoder extends ProcessFunction<RowData, PackedRecord> {

  private static final long serialVersionUID = 1L;

  /** Where rows go that cannot be events. */
  public static final OutputTag<InvalidEvent> INVALID =
      new OutputTag<>("invalid-events", JavaSerializer.typeOf(InvalidEvent.class));

  /** Where the sequences of truncate events go, in their order-preserving form. */
  public static final OutputTag<byte[]> TRUNCATES =
      new OutputTag<>("truncates", PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO);

  private final EventLayout layout;
  private final FlowSources sources;

  private transient OrderedColumn[] keyColumns;
  private transient int[] keyPositions;
  private transient RowData.FieldGetter[] keyGetters;
  private transient UnavailableValue unavailable;
  private transient SequenceEncoder encoder;
  private transient RecordCodec codec;
  private transient RowPacker plain;
  private transient PartialEncoder partial;
  private transient LongCounter events;

  public EventEncoder(EventLayout layout, FlowSources sources) {
    this.layout = layout;
    this.sources = sources;
  }

  @Override
  public void open(OpenContext context) {
    keyColumns = layout.keyColumns().toArray(OrderedColumn[]::new);
    keyPositions = layout.keys().stream().mapToInt(Integer::intValue).toArray();
    keyGetters =
        layout.keys().stream()
            .map(at -> RowData.createFieldGetter(layout.columns().getTypeAt(at), at))
            .toArray(RowData.FieldGetter[]::new);
    unavailable = layout.authorship().unavailable();
    encoder = new SequenceEncoder();
    codec = new RecordCodec(layout.columns().getFieldCount() + (layout.partial() ? 1 : 0));
    plain = new RowPacker(layout.columns());
    partial = layout.partial() ? new PartialEncoder(layout) : null;
    events = new LongCounter();
    getRuntimeContext().addAccumulator(UpdateCounters.eventsOf(sources.order()), events);
  }

  @Override
  public void processElement(RowData row, Context context, Collector<PackedRecord> out) {
    events.add(1);
    byte[] sequence;
    byte[] systemSequence = null;
    try {
      layout.sequence().append(row, layout.sequencePosition(), encoder.reset());
      sequence = encoder.toBytes();
    } catch (InvalidSequenceException e) {
      reject(row, e.getMessage(), context);
      return;
    }
    if (layout.systemSequence() != null) {
      try {
        layout.systemSequence().append(row, layout.systemSequencePosition(), encoder.reset());
        systemSequence = encoder.toBytes();
      } catch (InvalidSequenceException e) {
        reject(row, e.onSystemAxis(), context);
        return;
      }
    }
    if (layout.truncates() && isTrue(row, layout.truncatePosition())) {
      context.output(TRUNCATES, sequence);
      return;
    }
    RowKey key = keyOf(row, context);
    if (key == null) {
      return;
    }
    boolean isDelete = isTrue(row, layout.deletePosition());
    BinaryRowData values = null;
    if (!isDelete) {
      try {
        values = partial == null ? plain.pack(row) : partial.values(row);
      } catch (PartialEncoder.UnknownColumnException e) {
        reject(row, e.getMessage(), context);
        return;
      }
    }
    NewEvent event =
        new NewEvent(
            key,
            sequence,
            systemSequence,
            values,
            sources.order(),
            sourceOf(row),
            offsetOf(row),
            placeOf(row));
    out.collect(codec.pack(event));
  }

  private int sourceOf(RowData row) {
    return layout.position() == Position.NUMBERED && !row.isNullAt(layout.sourcePosition())
        ? row.getInt(layout.sourcePosition())
        : -1;
  }

  private String placeOf(RowData row) {
    return layout.position() == Position.NAMED && !row.isNullAt(layout.sourcePosition())
        ? row.getString(layout.sourcePosition()).toString()
        : null;
  }

  private long offsetOf(RowData row) {
    return layout.positioned() && !row.isNullAt(layout.offsetPosition())
        ? row.getLong(layout.offsetPosition())
        : -1;
  }

  /** A NULL condition is not met. */
  private static boolean isTrue(RowData row, int position) {
    return !row.isNullAt(position) && row.getBoolean(position);
  }

  private RowKey keyOf(RowData row, Context context) {
    encoder.reset();
    for (int i = 0; i < keyColumns.length; i++) {
      try {
        keyColumns[i].append(row, keyPositions[i], encoder);
      } catch (InvalidSequenceException e) {
        reject(row, "the key column '" + keyColumns[i].name() + "' is NULL", context);
        return null;
      }
      if (unavailable != null && unavailable.matches(keyGetters[i].getFieldOrNull(row))) {
        reject(
            row,
            "the key column '"
                + keyColumns[i].name()
                + "' was not sent: it has the value of sluice.unavailable-value",
            context);
        return null;
      }
    }
    return new RowKey(encoder.toBytes());
  }

  private void reject(RowData row, String reason, Context context) {
    String place = placeOf(row);
    long offset = offsetOf(row);
    context.output(
        INVALID,
        new InvalidEvent(
            sources.flow(),
            reason,
            place == null
                ? sources.describe(sourceOf(row), offset)
                : sources.describe(place, offset),
            RowText.of(layout.columns(), row),
            JsonValues.text(row, layout.described())));
  }
}
