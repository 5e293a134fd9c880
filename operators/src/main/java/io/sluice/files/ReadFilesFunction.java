package io.sluice.files;

import io.sluice.release.ClassRelease;
import java.util.Objects;
import org.apache.flink.api.common.accumulators.LongCounter;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.metrics.Counter;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;

/**
 * Reads splits as they come, in one task of a Flink job (semantics 17.4). Malformed records leave
 * by the side output {@link #MALFORMED}; the flow applies the invalid-event rule to them.
 *
 * <p>It counts, as metrics and as accumulators, {@code <name>.rowsRead}, {@code <name>.bytesRead}
 * and {@code <name>.malformedRecords}; the accumulator {@code <name>.newColumns} ({@link NameSet})
 * holds the names of fields without a column.
 */
public final class ReadFilesFunction extends ProcessFunction<FileSplit, RowData> {

  private static final long serialVersionUID = 1L;

  /** Records that could not be read. */
  public static final OutputTag<MalformedRecord> MALFORMED =
      new OutputTag<>("malformed-records", TypeInformation.of(MalformedRecord.class));

  private final ReadFilesOptions options;
  private final FileSchema schema;
  private final boolean withMetadata;
  private final boolean withPosition;
  private final String name;

  private transient FileRowReader reader;
  private transient Counted rows;
  private transient Counted bytes;
  private transient Counted malformed;
  private transient NameSet newColumns;

  /**
   * A reader of one source.
   *
   * @param withMetadata adds the column {@code _metadata}
   * @param withPosition adds the last columns {@code __file_ordinal INT} and {@code __file_offset
   *     BIGINT}, which order the rows of one read
   * @param name first part of the names of the counters
   */
  public ReadFilesFunction(
      ReadFilesOptions options,
      FileSchema schema,
      boolean withMetadata,
      boolean withPosition,
      String name) {
    this.options = Objects.requireNonNull(options, "options");
    this.schema = Objects.requireNonNull(schema, "schema");
    this.withMetadata = withMetadata;
    this.withPosition = withPosition;
    this.name = Objects.requireNonNull(name, "name");
  }

  /** The type of the rows: the schema's columns, then the wanted additions. */
  public RowType producedType() {
    return RowAssembler.producedType(schema, withMetadata, withPosition);
  }

  @Override
  public void open(OpenContext context) {
    ClassRelease.register(getRuntimeContext());
    reader = new FileRowReader(options, schema, withMetadata, withPosition);
    rows = counted("rowsRead");
    bytes = counted("bytesRead");
    malformed = counted("malformedRecords");
    newColumns = new NameSet();
    getRuntimeContext().addAccumulator(name + ".newColumns", newColumns);
  }

  private Counted counted(String what) {
    LongCounter accumulator = new LongCounter();
    getRuntimeContext().addAccumulator(name + "." + what, accumulator);
    return new Counted(
        getRuntimeContext().getMetricGroup().counter(name + "." + what), accumulator);
  }

  private record Counted(Counter metric, LongCounter accumulator) {
    void add(long count) {
      metric.inc(count);
      accumulator.add(count);
    }
  }

  @Override
  public void processElement(FileSplit split, Context context, Collector<RowData> out) {
    long read =
        reader.read(
            split,
            new RowSink() {
              @Override
              public void row(RowData row, long offset) {
                rows.add(1);
                out.collect(row);
              }

              @Override
              public void malformed(String reason, String raw, long offset) {
                malformed.add(1);
                context.output(
                    MALFORMED, new MalformedRecord(split.file().path(), offset, reason, raw));
              }

              @Override
              public void newColumn(String column) {
                newColumns.add(column);
              }
            });
    bytes.add(read);
  }
}
