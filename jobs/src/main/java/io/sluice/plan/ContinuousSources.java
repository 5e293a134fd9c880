package io.sluice.plan;

import io.sluice.catalog.CatalogConnection;
import io.sluice.catalog.CatalogErrors;
import io.sluice.continuous.ArrivalSource;
import io.sluice.continuous.ArrivalTracker;
import io.sluice.continuous.Arrivals;
import io.sluice.continuous.ArrivedFilesFunction;
import io.sluice.continuous.ArrivedRowsFunction;
import io.sluice.continuous.FileArrivals;
import io.sluice.continuous.TableArrival;
import io.sluice.continuous.TableArrivals;
import io.sluice.continuous.TopicWatch;
import io.sluice.errors.SluiceException;
import io.sluice.files.FileEntry;
import io.sluice.files.FileSchema;
import io.sluice.files.ReadFilesFunction;
import io.sluice.sequencing.EventLayout;
import io.sluice.sequencing.FlowSources;
import io.sluice.sequencing.InvalidEvent;
import io.sluice.sequencing.JavaSerializer;
import io.sluice.sequencing.UpdateOutput;
import io.sluice.sql.SourceReference;
import io.sluice.table.TargetTables;
import java.io.Serializable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.runtime.typeutils.InternalTypeInfo;
import org.apache.flink.table.types.logical.BigIntType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.VarCharType;
import org.apache.iceberg.SerializableTable;
import org.apache.iceberg.Table;
import org.apache.iceberg.flink.TableLoader;

/**
 * The sources of one flow of a continuous job: what arrives after the position in the ledger. Each
 * is read by one task, an arrival (a file, a commit) between two barriers.
 */
final class ContinuousSources implements SourceStreams {

  private final FlinkSession session;
  private final TemporaryNames names;
  private final CatalogConnection connection;
  private final ResolvedFlow flow;
  private final FlowPosition position;
  private final Duration interval;
  private final String uid;
  private final ContinuousTopics topics;
  private final List<DataStream<InvalidEvent>> malformed = new ArrayList<>();
  private final List<DataStream<UpdateOutput>> positions = new ArrayList<>();

  /**
   * @param position what the flow has read before
   * @param interval pause between two looks at a source
   * @param uid first part of the ids of its operators
   */
  ContinuousSources(
      FlinkSession session,
      TemporaryNames names,
      CatalogConnection connection,
      ResolvedFlow flow,
      FlowPosition position,
      Duration interval,
      String uid) {
    this.session = session;
    this.names = names;
    this.connection = connection;
    this.flow = flow;
    this.position = position;
    this.interval = interval;
    this.uid = uid;
    this.topics = new ContinuousTopics(session, names, flow, position, uid, malformed, positions);
  }

  @Override
  public List<DataStream<InvalidEvent>> malformed() {
    return malformed;
  }

  /** How far each source is read, for the committer; complete when the query is planned. */
  List<DataStream<UpdateOutput>> positions() {
    return positions;
  }

  /** The topics among them; complete when the query is planned. */
  List<TopicWatch.Watched> watched() {
    return topics.watched();
  }

  @Override
  public EventLayout.Position position() {
    return EventLayout.Position.NAMED;
  }

  @Override
  public FlowSources flowSources(Optional<ResolvedSource> positionedBy) {
    String unit =
        positionedBy
            .map(
                source ->
                    source instanceof ResolvedSource.Files files
                        ? SourceNames.unit(files)
                        : source instanceof ResolvedSource.OfTopic ? FlowSources.MESSAGE : "row")
            .orElse("record");
    return new FlowSources(flow.flow().name(), flow.flow().order(), List.of(), unit);
  }

  @Override
  public ResolvedSource resolved(SourceReference reference) {
    return flow.sources().get(reference);
  }

  @Override
  public BoundSource bind(ResolvedSource source, boolean withMetadata) {
    List<String> columns = source.columns().getFieldNames();
    if (!ContinuousFlows.isPossible(source)) {
      throw new SluiceException(ContinuousFlows.readWhole(flow, source));
    }
    if (source instanceof ResolvedSource.Files files) {
      return new BoundSource(
          register(stream(files, withMetadata)), columns, Optional.of(source), withMetadata);
    }
    if (source instanceof ResolvedSource.CatalogTable table) {
      if (table.streaming()) {
        return new BoundSource(register(stream(table)), columns, Optional.of(source), false);
      }
      String name = Sql.quote(connection.config().name()) + "." + table.name().quoted();
      return new BoundSource(name, columns, Optional.empty(), false);
    }
    if (source instanceof ResolvedSource.OfTopic topic) {
      boolean metadata = withMetadata && topic instanceof ResolvedSource.ReadKafka;
      return new BoundSource(
          register(topics.stream(topic, metadata)), columns, Optional.of(source), metadata);
    }
    if (source instanceof ResolvedSource.FlinkTable table) {
      return new BoundSource(table.name().quoted(), columns, Optional.empty(), false);
    }
    throw new IllegalStateException("no source of a continuous run: " + source);
  }

  private String register(DataStream<RowData> stream) {
    String name = names.next("arriving");
    session.tables().createTemporaryView(name, session.tables().fromDataStream(stream));
    return name;
  }

  private DataStream<RowData> stream(ResolvedSource.Files source, boolean withMetadata) {
    List<FileEntry> known = position.files(source.id()).files().entries().stream().toList();
    FileSchema schema = source.schema();
    SingleOutputStreamOperator<FileEntry> files =
        arrivals(
            source,
            new FileArrivals(source.options(), known),
            FileEntry.class,
            read -> new SourceProgress.Files(read, schema));
    ReadFilesFunction shape =
        new ReadFilesFunction(source.options(), source.schema(), withMetadata, false, "shape");
    SingleOutputStreamOperator<RowData> rows =
        files
            .process(new ArrivedFilesFunction(source.options(), source.schema(), withMetadata))
            .returns(positioned(shape.producedType()))
            .name("read " + source.options().path())
            .uid(uid + "/read/" + source.id())
            .setParallelism(1);
    String name = flow.flow().name();
    String unit = SourceNames.unit(source);
    malformed.add(
        rows.getSideOutput(ReadFilesFunction.MALFORMED)
            .map(record -> JobSources.invalid(name, unit, record))
            .returns(JavaSerializer.typeOf(InvalidEvent.class))
            .setParallelism(1));
    return spread(rows, source);
  }

  private DataStream<RowData> stream(ResolvedSource.CatalogTable source) {
    var identifier = connection.identifier(source.name().parts());
    Table table =
        TargetTables.open(connection.catalog(), identifier)
            .orElseThrow(() -> CatalogErrors.dropped("table " + source.name()));
    Long after =
        position.snapshot(source.id()).isPresent()
            ? (Long) position.snapshot(source.id()).getAsLong()
            : null;
    return spread(
        arrivals(
                source,
                new TableArrivals(TableLoader.fromCatalog(connection.loader(), identifier), after),
                TableArrival.class,
                read -> new SourceProgress.Snapshot(read.get(read.size() - 1).snapshot()))
            .process(new ArrivedRowsFunction(SerializableTable.copyOf(table)))
            .returns(positioned(source.columns()))
            .name("read " + source.name())
            .uid(uid + "/read/" + source.id())
            .setParallelism(1),
        source);
  }

  /** The one task that reads does nothing else: what the query makes of the rows is parallel. */
  private DataStream<RowData> spread(
      SingleOutputStreamOperator<RowData> rows, ResolvedSource source) {
    if (session.environment().getParallelism() == 1) {
      return rows;
    }
    return rows.rebalance()
        .map(row -> row)
        .returns(rows.getType())
        .name("rows of " + source.id())
        .uid(uid + "/rows/" + source.id());
  }

  private <A extends Serializable> SingleOutputStreamOperator<A> arrivals(
      ResolvedSource source,
      Arrivals<A> arrivals,
      Class<A> type,
      ArrivalTracker.Progress<A> progress) {
    TypeInformation<A> information = JavaSerializer.typeOf(type);
    SingleOutputStreamOperator<A> tracked =
        session
            .environment()
            .fromSource(
                new ArrivalSource<>(arrivals, interval),
                WatermarkStrategy.noWatermarks(),
                "arrivals at " + source.id(),
                information)
            .uid(uid + "/arrivals/" + source.id())
            .setParallelism(1)
            .transform(
                "position in " + source.id(),
                information,
                new ArrivalTracker<>(flow.flow().name(), source.id(), progress))
            .uid(uid + "/position/" + source.id())
            .setParallelism(1);
    positions.add(tracked.getSideOutput(ArrivalTracker.POSITIONS));
    return tracked;
  }

  /** Columns with the name of their source and the place in it behind them. */
  static TypeInformation<RowData> positioned(RowType columns) {
    List<RowType.RowField> fields = new ArrayList<>(columns.getFields());
    fields.add(
        new RowType.RowField(
            ResolvedSource.ORDINAL, new VarCharType(false, VarCharType.MAX_LENGTH)));
    fields.add(new RowType.RowField(ResolvedSource.OFFSET, new BigIntType(false)));
    return InternalTypeInfo.of(new RowType(false, fields));
  }
}
