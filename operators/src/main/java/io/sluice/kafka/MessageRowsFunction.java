package io.sluice.kafka;

import io.sluice.files.FileSchema;
import io.sluice.files.MalformedRecord;
import io.sluice.files.MessageFormat;
import io.sluice.files.MessageLayout;
import io.sluice.files.MessageReader;
import io.sluice.files.ReadFilesFunction;
import io.sluice.files.RowSink;
import java.util.List;
import java.util.Objects;
import org.apache.flink.api.common.accumulators.LongCounter;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.metrics.Counter;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.TimestampData;
import org.apache.flink.table.types.logical.BigIntType;
import org.apache.flink.table.types.logical.IntType;
import org.apache.flink.table.types.logical.LocalZonedTimestampType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.VarBinaryType;
import org.apache.flink.table.types.logical.VarCharType;
import org.apache.flink.util.Collector;

/**
 * Makes rows of the messages of one topic. What cannot be read leaves by {@link
 * ReadFilesFunction#MALFORMED} and follows the invalid-event rule (semantics 0.3). A message
 * without a value, the tombstone of a compacted topic, gives no row, unless the format is RAW.
 *
 * <p>It counts, as metrics and as accumulators, {@code <name>.rowsRead}, {@code <name>.tombstones}
 * and {@code <name>.malformedRecords}.
 */
public final class MessageRowsFunction extends ProcessFunction<RowData, RowData> {

  private static final long serialVersionUID = 1L;

  /** The column {@code _metadata}. */
  public static final RowType METADATA =
      new RowType(
          true,
          List.of(
              new RowType.RowField("topic", new VarCharType(VarCharType.MAX_LENGTH)),
              new RowType.RowField("partition", new IntType()),
              new RowType.RowField("offset", new BigIntType()),
              new RowType.RowField("timestamp", new LocalZonedTimestampType(3)),
              new RowType.RowField("key", new VarBinaryType(VarBinaryType.MAX_LENGTH)),
              new RowType.RowField("headers", RawMessages.HEADERS_TYPE)));

  private final ReadKafkaOptions options;
  private final MessageLayout layout;
  private final String name;

  private transient MessageReader reader;
  private transient StringData topic;
  private transient int arity;
  private transient Counted rows;
  private transient Counted tombstones;
  private transient Counted malformed;

  /**
   * A reader of one source.
   *
   * @param withMetadata adds the column {@code _metadata}
   * @param name first part of the names of the counters
   */
  public MessageRowsFunction(ReadKafkaOptions options, boolean withMetadata, String name) {
    this.options = Objects.requireNonNull(options, "options");
    FileSchema schema = options.schema();
    this.layout = new MessageLayout(schema, withMetadata ? METADATA : null);
    this.name = Objects.requireNonNull(name, "name");
  }

  /** The type of the rows: the columns, {@code _metadata} if wanted, partition and offset. */
  public RowType producedType() {
    return layout.producedType();
  }

  @Override
  public void open(OpenContext context) {
    arity = layout.producedType().getFieldCount();
    topic = StringData.fromString(options.topic().name());
    if (options.format() != MessageFormat.RAW) {
      reader =
          new MessageReader(
              options.format(), layout, options.mode(), options.delimiter(), options.registry());
    }
    rows = counted("rowsRead");
    tombstones = counted("tombstones");
    malformed = counted("malformedRecords");
  }

  private Counted counted(String what) {
    LongCounter accumulator = new LongCounter();
    getRuntimeContext().addAccumulator(name + "." + what, accumulator);
    return new Counted(
        getRuntimeContext().getMetricGroup().counter(name + "." + what), accumulator);
  }

  private record Counted(Counter metric, LongCounter accumulator) {
    void addOne() {
      metric.inc();
      accumulator.add(1L);
    }
  }

  @Override
  public void processElement(RowData message, Context context, Collector<RowData> out) {
    int partition = message.getInt(RawMessages.PARTITION);
    long offset = message.getLong(RawMessages.OFFSET);
    GenericRowData metadata = layout.metadata() == null ? null : metadata(message);
    if (reader == null) {
      rows.addOne();
      out.collect(raw(message, metadata));
      return;
    }
    if (message.isNullAt(RawMessages.VALUE)) {
      tombstones.addOne();
      return;
    }
    String origin = options.topic().name() + "-" + partition;
    boolean isRecord =
        reader.read(
            message.getBinary(RawMessages.VALUE),
            origin,
            partition,
            offset,
            metadata,
            new RowSink() {
              @Override
              public void row(RowData row, long at) {
                rows.addOne();
                out.collect(row);
              }

              @Override
              public void malformed(String reason, String text, long at) {
                malformed.addOne();
                context.output(
                    ReadFilesFunction.MALFORMED, new MalformedRecord(origin, at, reason, text));
              }
            });
    if (!isRecord) {
      tombstones.addOne();
    }
  }

  private GenericRowData raw(RowData message, GenericRowData metadata) {
    GenericRowData row = new GenericRowData(arity);
    row.setField(0, binary(message, RawMessages.KEY));
    row.setField(1, binary(message, RawMessages.VALUE));
    if (metadata != null) {
      row.setField(2, metadata);
    }
    row.setField(row.getArity() - 2, message.getInt(RawMessages.PARTITION));
    row.setField(row.getArity() - 1, message.getLong(RawMessages.OFFSET));
    return row;
  }

  private GenericRowData metadata(RowData message) {
    return GenericRowData.of(
        topic,
        message.getInt(RawMessages.PARTITION),
        message.getLong(RawMessages.OFFSET),
        message.isNullAt(RawMessages.TIMESTAMP)
            ? null
            : TimestampData.fromEpochMillis(message.getLong(RawMessages.TIMESTAMP)),
        binary(message, RawMessages.KEY),
        message.getMap(RawMessages.HEADERS));
  }

  private static byte[] binary(RowData message, int field) {
    return message.isNullAt(field) ? null : message.getBinary(field);
  }
}
