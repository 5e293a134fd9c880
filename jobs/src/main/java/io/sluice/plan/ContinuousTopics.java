package io.sluice.plan;

import io.sluice.continuous.ArrivalTracker;
import io.sluice.continuous.NamedPartitions;
import io.sluice.continuous.SourceWatch;
import io.sluice.continuous.TopicTracker;
import io.sluice.continuous.TopicWatch;
import io.sluice.files.ReadFilesFunction;
import io.sluice.kafka.MessageRowsFunction;
import io.sluice.kafka.RawMessages;
import io.sluice.kafka.TopicLookup;
import io.sluice.kafka.TopicOffsets;
import io.sluice.kafka.TopicPlan;
import io.sluice.sequencing.InvalidEvent;
import io.sluice.sequencing.JavaSerializer;
import io.sluice.sequencing.UpdateOutput;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.table.api.Table;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.runtime.typeutils.InternalTypeInfo;
import org.apache.flink.table.types.logical.RowType;

/** The topics that one flow of a continuous job reads, from the offsets of the ledger on. */
final class ContinuousTopics {

  private final FlinkSession session;
  private final TemporaryNames names;
  private final ResolvedFlow flow;
  private final FlowPosition position;
  private final String uid;
  private final List<DataStream<InvalidEvent>> malformed;
  private final List<DataStream<UpdateOutput>> positions;
  private final List<TopicWatch.Watched> watched = new ArrayList<>();

  /**
   * @param position what the flow has read before
   * @param uid first part of the ids of its operators
   * @param malformed takes the messages that cannot be read
   * @param positions takes how far each topic is read
   */
  ContinuousTopics(
      FlinkSession session,
      TemporaryNames names,
      ResolvedFlow flow,
      FlowPosition position,
      String uid,
      List<DataStream<InvalidEvent>> malformed,
      List<DataStream<UpdateOutput>> positions) {
    this.session = session;
    this.names = names;
    this.flow = flow;
    this.position = position;
    this.uid = uid;
    this.malformed = malformed;
    this.positions = positions;
  }

  /** The topics as they were found; complete when the query is planned. */
  List<TopicWatch.Watched> watched() {
    return watched;
  }

  /**
   * The rows of a topic, its name and the offset behind them.
   *
   * @param withMetadata adds the column {@code _metadata}
   */
  DataStream<RowData> stream(ResolvedSource.OfTopic source, boolean withMetadata) {
    TopicOffsets from =
        TopicPlan.of(
                source.topic(),
                TopicLookup.look(source.topic()),
                position.topic(source.id()),
                source.onLostOffsets())
            .start();
    watched.add(
        new TopicWatch.Watched(
            new SourceWatch.Read(flow.flow().name(), source.id()),
            source.topic(),
            from.topicId(),
            source.onLostOffsets()));
    TopicStreams topics = new TopicStreams(session, names);
    DataStream<RowData> rows;
    RowType type;
    if (source instanceof ResolvedSource.ReadKafka call) {
      String counters = "kafka." + flow.flow().order() + "." + malformed.size();
      MessageRowsFunction reader = new MessageRowsFunction(call.options(), withMetadata, counters);
      type = reader.producedType();
      SingleOutputStreamOperator<RowData> read =
          tracked(
                  topics.messages(call, from).uid(uid + "/messages/" + source.id()),
                  source,
                  from.topicId(),
                  RawMessages.PARTITION,
                  RawMessages.OFFSET)
              .process(reader)
              .returns(InternalTypeInfo.of(type))
              .name("read " + source.topic().name())
              .uid(uid + "/read/" + source.id());
      String name = flow.flow().name();
      malformed.add(
          read.getSideOutput(ReadFilesFunction.MALFORMED)
              .map(record -> JobSources.invalidMessage(name, record))
              .returns(JavaSerializer.typeOf(InvalidEvent.class)));
      rows = read;
    } else {
      Table table = topics.table((ResolvedSource.KafkaTable) source, from);
      type = FlinkSession.rowType(table);
      int last = type.getFieldCount() - 1;
      DataStream<RowData> read = session.rows(table, source.reference().at());
      rows =
          tracked(
              read.map(row -> row).returns(InternalTypeInfo.of(type)),
              source,
              from.topicId(),
              last - 1,
              last);
    }
    int columns = type.getFieldCount() - 2;
    RowType visible = new RowType(false, type.getFields().subList(0, columns));
    return rows.map(new NamedPartitions(source.topic().name(), columns))
        .returns(ContinuousSources.positioned(visible))
        .name("partitions of " + source.topic().name());
  }

  private SingleOutputStreamOperator<RowData> tracked(
      SingleOutputStreamOperator<RowData> rows,
      ResolvedSource source,
      String topicId,
      int partitionColumn,
      int offsetColumn) {
    SingleOutputStreamOperator<RowData> tracked =
        rows.transform(
                "position in " + source.id(),
                rows.getType(),
                new TopicTracker(
                    flow.flow().name(),
                    source.id(),
                    topicId,
                    partitionColumn,
                    offsetColumn,
                    SourceProgress.Topic::new))
            .uid(uid + "/position/" + source.id());
    positions.add(tracked.getSideOutput(ArrivalTracker.POSITIONS));
    return tracked;
  }
}
