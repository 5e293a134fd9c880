package io.sluice.plan;

import io.sluice.files.FileEntry;
import io.sluice.files.FileSplit;
import io.sluice.files.FileSplits;
import io.sluice.files.JsonValues;
import io.sluice.files.MalformedRecord;
import io.sluice.files.ReadFilesFunction;
import io.sluice.kafka.MessageRowsFunction;
import io.sluice.kafka.PartitionRange;
import io.sluice.sequencing.EventLayout;
import io.sluice.sequencing.FlowSources;
import io.sluice.sequencing.InvalidEvent;
import io.sluice.sequencing.JavaSerializer;
import io.sluice.sequencing.TableRowsFunction;
import io.sluice.sql.SourceReference;
import io.sluice.table.RowSplit;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.runtime.typeutils.InternalTypeInfo;
import org.apache.flink.table.types.logical.BigIntType;
import org.apache.flink.table.types.logical.BooleanType;
import org.apache.flink.table.types.logical.IntType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.iceberg.SerializableTable;

/**
 * The sources of one flow in one job: what is to be read becomes streams, registered for the
 * planner. Without input a source is an empty stream with the right columns.
 */
final class JobSources implements SourceStreams {

  /** Files are cut into parts of this size, so that tasks share the work. */
  private static final long SPLIT_BYTES = 16L << 20;

  private final FlinkSession session;
  private final TemporaryNames names;
  private final ResolvedFlow flow;
  private final Map<String, SourceInput> inputs;
  private final String ownCatalog;
  private final boolean placeholders;
  private final TopicStreams topics;
  private final List<DataStream<InvalidEvent>> malformed = new ArrayList<>();

  /**
   * @param inputs what to read, by source id
   * @param ownCatalog name of the catalog in Flink
   * @param placeholders whether tables of the catalog are stood in for by their columns, because
   *     some do not exist yet
   */
  JobSources(
      FlinkSession session,
      TemporaryNames names,
      ResolvedFlow flow,
      Map<String, SourceInput> inputs,
      String ownCatalog,
      boolean placeholders) {
    this.session = session;
    this.names = names;
    this.flow = flow;
    this.inputs = inputs;
    this.ownCatalog = ownCatalog;
    this.placeholders = placeholders;
    this.topics = new TopicStreams(session, names);
  }

  @Override
  public List<DataStream<InvalidEvent>> malformed() {
    return malformed;
  }

  @Override
  public ResolvedSource resolved(SourceReference reference) {
    return flow.sources().get(reference);
  }

  @Override
  public BoundSource bind(ResolvedSource source, boolean withMetadata) {
    List<String> columns = source.columns().getFieldNames();
    if (source instanceof ResolvedSource.Files files) {
      String name = register(files.reference(), stream(files, withMetadata));
      return new BoundSource(name, columns, Optional.of(source), withMetadata);
    }
    if (source instanceof ResolvedSource.CatalogTable table) {
      boolean located = table.streaming() || flow.flow().once() && flow.flow().snapshot().isEmpty();
      if (located || placeholders) {
        String name = register(table.reference(), stream(table));
        return new BoundSource(name, columns, Optional.of(source), false);
      }
      String name = Sql.quote(ownCatalog) + "." + table.name().quoted();
      return new BoundSource(name, columns, Optional.empty(), false);
    }
    if (source instanceof ResolvedSource.Rows rows) {
      return new BoundSource(
          register(rows.reference(), stream(rows)), columns, Optional.empty(), false);
    }
    if (source instanceof ResolvedSource.OfTopic topic) {
      return bind(topic, withMetadata);
    }
    ResolvedSource.FlinkTable table = (ResolvedSource.FlinkTable) source;
    return new BoundSource(table.name().quoted(), columns, Optional.empty(), false);
  }

  private BoundSource bind(ResolvedSource.OfTopic source, boolean withMetadata) {
    Optional<SourceInput.OfTopic> input =
        Optional.ofNullable((SourceInput.OfTopic) inputs.get(source.id()))
            .filter(each -> !each.ranges().isEmpty());
    boolean metadata = withMetadata && source instanceof ResolvedSource.ReadKafka;
    String name;
    if (input.isEmpty()) {
      name = register(source.reference(), nothing(source, metadata));
    } else if (source instanceof ResolvedSource.ReadKafka call) {
      String counters = "kafka." + flow.flow().order() + "." + malformed.size();
      SingleOutputStreamOperator<RowData> rows =
          topics.rows(call, input.get().ranges(), metadata, counters);
      String flowName = flow.flow().name();
      malformed.add(
          rows.getSideOutput(ReadFilesFunction.MALFORMED)
              .map(record -> invalidMessage(flowName, record))
              .returns(JavaSerializer.typeOf(InvalidEvent.class)));
      name = register(source.reference(), rows);
    } else {
      name = topics.table((ResolvedSource.KafkaTable) source, input.get());
    }
    return new BoundSource(name, source.columns().getFieldNames(), Optional.of(source), metadata);
  }

  static InvalidEvent invalidMessage(String flow, MalformedRecord record) {
    String position = FlowSources.describe(record.path(), FlowSources.MESSAGE, record.offset());
    return new InvalidEvent(
        flow, record.reason(), position, record.raw(), JsonValues.text(record.raw()));
  }

  /** A topic without anything to read. */
  private DataStream<RowData> nothing(ResolvedSource.OfTopic source, boolean withMetadata) {
    List<RowType.RowField> fields = new ArrayList<>(source.columns().getFields());
    if (withMetadata) {
      fields.add(new RowType.RowField("_metadata", MessageRowsFunction.METADATA));
    }
    if (source.changelog()) {
      fields.add(new RowType.RowField(ResolvedSource.ROW_DELETE, new BooleanType(false)));
    }
    fields.add(new RowType.RowField(ResolvedSource.ORDINAL, new IntType(false)));
    fields.add(new RowType.RowField(ResolvedSource.OFFSET, new BigIntType(false)));
    return splits(List.<PartitionRange>of(), PartitionRange.class)
        .<RowData>process(new NothingFunction<>())
        .returns(InternalTypeInfo.of(new RowType(false, fields)))
        .name("read nothing of " + source.topic().name());
  }

  private String register(SourceReference reference, DataStream<RowData> stream) {
    String name = names.next(hint(reference));
    session.tables().createTemporaryView(name, session.tables().fromDataStream(stream));
    return name;
  }

  private static String hint(SourceReference reference) {
    if (reference instanceof SourceReference.TableReference table) {
      return table.name().last();
    }
    return reference instanceof SourceReference.FunctionReference function
        ? function.name()
        : "read_files";
  }

  private DataStream<RowData> stream(ResolvedSource.Rows source) {
    return session
        .environment()
        .fromCollection(source.rows(), InternalTypeInfo.of(source.columns()))
        .name(source.id());
  }

  private DataStream<RowData> stream(ResolvedSource.Files source, boolean withMetadata) {
    List<FileEntry> files =
        inputs.get(source.id()) instanceof SourceInput.OfFiles input ? input.files() : List.of();
    ReadFilesFunction reader =
        new ReadFilesFunction(
            source.options(),
            source.schema(),
            withMetadata,
            true,
            "files." + flow.flow().order() + "." + malformed.size());
    SingleOutputStreamOperator<RowData> rows =
        splits(FileSplits.split(files, source.options(), SPLIT_BYTES), FileSplit.class)
            .process(reader)
            .returns(InternalTypeInfo.of(reader.producedType()))
            .name("read " + source.options().path());
    String name = flow.flow().name();
    String unit = SourceNames.unit(source);
    malformed.add(
        rows.getSideOutput(ReadFilesFunction.MALFORMED)
            .map(record -> invalid(name, unit, record))
            .returns(JavaSerializer.typeOf(InvalidEvent.class)));
    return rows;
  }

  static InvalidEvent invalid(String flow, String unit, MalformedRecord record) {
    String position = record.path() + " (" + unit + " " + record.offset() + ")";
    return new InvalidEvent(
        flow, record.reason(), position, record.raw(), JsonValues.text(record.raw()));
  }

  private DataStream<RowData> stream(ResolvedSource.CatalogTable source) {
    RowType columns = source.columns();
    List<RowType.RowField> fields = new ArrayList<>(columns.getFields());
    fields.add(new RowType.RowField(ResolvedSource.ORDINAL, new IntType(false)));
    fields.add(new RowType.RowField(ResolvedSource.OFFSET, new BigIntType(false)));
    TypeInformation<RowData> type = InternalTypeInfo.of(new RowType(false, fields));
    if (inputs.get(source.id()) instanceof SourceInput.OfTable input) {
      return splits(input.splits(), RowSplit.class)
          .process(
              new TableRowsFunction(
                  SerializableTable.copyOf(input.table()), SourceNames.locations(input.splits())))
          .returns(type)
          .name("read " + source.name());
    }
    return splits(List.<RowSplit>of(), RowSplit.class)
        .<RowData>process(new NothingFunction<>())
        .returns(type)
        .name("read nothing of " + source.name());
  }

  private <T extends Serializable> DataStream<T> splits(List<T> splits, Class<T> type) {
    return session
        .environment()
        .fromCollection(splits, JavaSerializer.typeOf(type))
        .name("splits")
        .rebalance();
  }

  @Override
  public EventLayout.Position position() {
    return EventLayout.Position.NUMBERED;
  }

  @Override
  public FlowSources flowSources(Optional<ResolvedSource> positionedBy) {
    List<String> ordered = List.of();
    String unit = "record";
    if (positionedBy.isPresent()) {
      SourceInput input = inputs.get(positionedBy.get().id());
      if (input instanceof SourceInput.OfFiles files) {
        ordered = files.files().stream().map(FileEntry::path).sorted().toList();
        unit = SourceNames.unit((ResolvedSource.Files) positionedBy.get());
      } else if (input instanceof SourceInput.OfTable table) {
        ordered = SourceNames.ordered(table.splits());
        unit = "row";
      } else if (input instanceof SourceInput.OfTopic topic) {
        ordered =
            SourceNames.partitions(
                ((ResolvedSource.OfTopic) positionedBy.get()).topic().name(), topic.ranges());
        unit = FlowSources.MESSAGE;
      }
    }
    return new FlowSources(flow.flow().name(), flow.flow().order(), ordered, unit);
  }
}
