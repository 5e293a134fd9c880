package io.sluice.benchmarks;

import io.sluice.continuous.ArrivalSource;
import io.sluice.continuous.ArrivedFilesFunction;
import io.sluice.continuous.FileArrivals;
import io.sluice.files.FileEntry;
import io.sluice.files.FileSchema;
import io.sluice.files.ReadFilesFunction;
import io.sluice.files.ReadFilesOptions;
import io.sluice.sequencing.JavaSerializer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.flink.api.common.accumulators.LongCounter;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.utils.ProjectedRowData;
import org.apache.flink.table.runtime.typeutils.InternalTypeInfo;
import org.apache.flink.table.types.logical.BigIntType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.VarCharType;
import org.apache.flink.types.RowKind;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.flink.FlinkSchemaUtil;
import org.apache.iceberg.flink.TableLoader;
import org.apache.iceberg.flink.sink.IcebergSink;
import org.apache.iceberg.types.Types.NestedField;

/**
 * The yardsticks of continuous runs: streaming jobs made of Flink's and Iceberg's own parts, behind
 * the same file source on the same cluster, with the same checkpoints.
 */
final class FlinkKeeper implements Keeper {

  /** What becomes of the events. */
  enum Kind {
    /** Every event a row. */
    APPEND,
    /** The sink's upsert mode: the row of a key is the event that came last. */
    UPSERT,
    /** {@link Scd2Changelog} into the sink. */
    SCD2,
    /** {@link Scd2Changelog} into nothing. */
    NO_SINK
  }

  private static final String COUNTED = "events";

  private final JobClient client;
  private final Workshop workshop;

  private FlinkKeeper(Workshop workshop, JobClient client) {
    this.workshop = workshop;
    this.client = client;
  }

  /** Starts the job. */
  static FlinkKeeper start(
      Workshop workshop, Kind kind, String table, Path feed, Map<String, String> settings)
      throws Exception {
    ReadFilesOptions options =
        ReadFilesOptions.of(feed.toString(), Map.of("format", "json", "schema", Feed.SCHEMA));
    FileSchema schema = FileSchema.declared(Feed.SCHEMA);
    RowType event = new ReadFilesFunction(options, schema, false, false, "files").producedType();
    StreamExecutionEnvironment environment =
        workshop.runtime().unbounded(workshop.parallelism(), settings);
    DataStream<RowData> events =
        environment
            .fromSource(
                new ArrivalSource<>(new FileArrivals(options, List.of()), Duration.ofMillis(200)),
                WatermarkStrategy.noWatermarks(),
                "files",
                JavaSerializer.typeOf(FileEntry.class))
            .setParallelism(1)
            .process(new ArrivedFilesFunction(options, schema, false))
            .returns(located(event))
            .setParallelism(1)
            .map(new Counted(event.getFieldCount()))
            .returns(InternalTypeInfo.of(event))
            .setParallelism(1);
    switch (kind) {
      case APPEND -> sink(workshop, table, events.rebalance(), event, List.of(), false);
      case UPSERT ->
          sink(
              workshop,
              table,
              events.map(new Upserts()).returns(InternalTypeInfo.of(event)),
              event,
              List.of("id"),
              true);
      case SCD2 -> sink(workshop, table, versions(events, event), versions(event), EQUAL, false);
      case NO_SINK -> versions(events, event).sinkTo(new DiscardingSink<>());
    }
    return new FlinkKeeper(workshop, environment.executeAsync(table));
  }

  private static final List<String> EQUAL = List.of("id", "start_at");

  private static DataStream<RowData> versions(DataStream<RowData> events, RowType event) {
    return events
        .keyBy(row -> row.getLong(0), Types.LONG)
        .process(new Scd2Changelog(event))
        .returns(InternalTypeInfo.of(versions(event)));
  }

  private static InternalTypeInfo<RowData> located(RowType event) {
    List<RowType.RowField> fields = new ArrayList<>(event.getFields());
    fields.add(new RowType.RowField("file", new VarCharType(VarCharType.MAX_LENGTH)));
    fields.add(new RowType.RowField("place", new BigIntType()));
    return InternalTypeInfo.of(new RowType(fields));
  }

  private static RowType versions(RowType event) {
    List<RowType.RowField> fields =
        new ArrayList<>(event.getFields().subList(0, event.getFieldCount() - 2));
    fields.add(new RowType.RowField("start_at", new BigIntType(false)));
    fields.add(new RowType.RowField("end_at", new BigIntType()));
    return new RowType(fields);
  }

  private static void sink(
      Workshop workshop,
      String name,
      DataStream<RowData> rows,
      RowType type,
      List<String> equality,
      boolean upsert) {
    TableIdentifier identifier = workshop.connection().identifier(List.of(name));
    Schema optional = FlinkSchemaUtil.convert(FlinkSchemaUtil.toResolvedSchema(type));
    List<NestedField> fields =
        optional.columns().stream()
            .map(field -> equality.contains(field.name()) ? field.asRequired() : field)
            .toList();
    Table table =
        workshop
            .connection()
            .catalog()
            .createTable(
                identifier,
                new Schema(fields),
                PartitionSpec.unpartitioned(),
                Map.of("format-version", "3"));
    IcebergSink.Builder builder =
        IcebergSink.forRowData(rows)
            .table(table)
            .tableLoader(TableLoader.fromCatalog(workshop.connection().loader(), identifier))
            .upsert(upsert);
    if (!equality.isEmpty()) {
      builder.equalityFieldColumns(equality);
    }
    builder.append();
  }

  @Override
  public long read() throws Exception {
    Object counted = client.getAccumulators().get().get(COUNTED);
    return counted instanceof Long number ? number : 0;
  }

  @Override
  public void stop() throws Exception {
    client
        .stopWithSavepoint(
            false, workshop.folder("savepoints").toUri().toString(), SavepointFormatType.NATIVE)
        .get();
    client.getJobExecutionResult().get();
  }

  /** Counts events, and takes the place in the file off them. */
  private static final class Counted extends RichMapFunction<RowData, RowData> {

    private static final long serialVersionUID = 1L;

    private final LongCounter counter = new LongCounter();
    private final int columns;
    private transient ProjectedRowData projected;

    Counted(int columns) {
      this.columns = columns;
    }

    @Override
    public void open(OpenContext context) {
      getRuntimeContext().addAccumulator(COUNTED, counter);
      projected = ProjectedRowData.from(IntStream.range(0, columns).toArray());
    }

    @Override
    public RowData map(RowData row) {
      counter.add(1L);
      return projected.replaceRow(row);
    }
  }

  /** Gives events the kind of change that they mean. */
  private static final class Upserts implements MapFunction<RowData, RowData> {

    private static final long serialVersionUID = 1L;
    private static final int OPERATION = 8;

    @Override
    public RowData map(RowData row) {
      row.setRowKind(
          row.getString(OPERATION).toString().equals("D") ? RowKind.DELETE : RowKind.UPDATE_AFTER);
      return row;
    }
  }
}
