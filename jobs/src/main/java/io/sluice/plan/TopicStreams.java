package io.sluice.plan;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.Problem;
import io.sluice.errors.SluiceException;
import io.sluice.kafka.ChangelogRowsFunction;
import io.sluice.kafka.KafkaTopic;
import io.sluice.kafka.MessageRowsFunction;
import io.sluice.kafka.PartitionRange;
import io.sluice.kafka.TopicOffsets;
import io.sluice.kafka.TopicSource;
import io.sluice.kafka.TopicTableFactory;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.table.api.Table;
import org.apache.flink.table.catalog.Column;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.runtime.typeutils.ExternalTypeInfo;
import org.apache.flink.table.runtime.typeutils.InternalTypeInfo;
import org.apache.flink.table.types.DataType;
import org.apache.flink.types.Row;

/** Streams of topics: up to the offsets that an update has planned, or without an end. */
final class TopicStreams {

  private static final SourceInput.OfTopic SOMETHING =
      new SourceInput.OfTopic(
          List.of(new PartitionRange(0, 0, 1)), new TopicOffsets("", new TreeMap<>(Map.of(0, 1L))));

  private final FlinkSession session;
  private final TemporaryNames names;

  TopicStreams(FlinkSession session, TemporaryNames names) {
    this.session = session;
    this.names = names;
  }

  /**
   * The rows of a call of read_kafka, with their position.
   *
   * @param ranges what to read, at least one
   * @param counters first part of the names of the counters
   */
  SingleOutputStreamOperator<RowData> rows(
      ResolvedSource.ReadKafka source,
      List<PartitionRange> ranges,
      boolean withMetadata,
      String counters) {
    MessageRowsFunction reader = new MessageRowsFunction(source.options(), withMetadata, counters);
    return session
        .environment()
        .fromSource(
            TopicSource.bounded(source.topic(), ranges),
            WatermarkStrategy.noWatermarks(),
            "messages of " + source.topic().name())
        .process(reader)
        .returns(InternalTypeInfo.of(reader.producedType()))
        .name("read " + source.topic().name());
  }

  /** The messages of a call of read_kafka from some offsets on, as they are. */
  SingleOutputStreamOperator<RowData> messages(ResolvedSource.ReadKafka source, TopicOffsets from) {
    return session
        .environment()
        .fromSource(
            TopicSource.unbounded(source.topic(), from),
            WatermarkStrategy.noWatermarks(),
            "messages of " + source.topic().name());
  }

  /**
   * A table with Flink's Kafka connector, cut to what an update reads, under a name that queries
   * can use; its columns and behind them the source's hidden ones.
   */
  String table(ResolvedSource.KafkaTable source, SourceInput.OfTopic input) {
    return table(source, bounded(source, input));
  }

  /** The same without an end, from some offsets on; for a session in streaming mode. */
  Table table(ResolvedSource.KafkaTable source, TopicOffsets from) {
    return session.tables().from(table(source, TopicSource.unbounded(source.topic(), from)));
  }

  private String table(ResolvedSource.KafkaTable source, KafkaSource<RowData> planned) {
    String name = names.next(source.name().last());
    if (!source.changelog()) {
      session.tables().createTemporaryView(name, cut(session, source, planned));
      return name;
    }
    FlinkSession streaming = session.streaming();
    Table changes = cut(streaming, source, planned);
    DataType type =
        ChangelogRowsFunction.producedType(
            changes.getResolvedSchema().toPhysicalRowDataType(), ResolvedSource.ROW_DELETE);
    DataStream<Row> rows =
        streaming
            .tables()
            .toChangelogStream(changes)
            .process(new ChangelogRowsFunction())
            .returns(ExternalTypeInfo.<Row>of(type))
            .name("changes of " + source.topic().name());
    session.tables().createTemporaryView(name, session.tables().fromDataStream(rows));
    return name;
  }

  /**
   * Lets Flink look at the options of a table, which it does only when it reads; no broker is
   * asked.
   *
   * @throws SluiceException INVALID_QUERY if it cannot read the table
   */
  void check(ResolvedSource.KafkaTable source) {
    FlinkSession in = source.changelog() ? session.streaming() : session;
    try {
      cut(in, source, bounded(source, SOMETHING)).explain();
    } catch (RuntimeException e) {
      throw new SluiceException(
          List.of(
              Problem.at(
                  source.reference().at(),
                  ErrorCode.INVALID_QUERY,
                  "table '"
                      + source.name()
                      + "' cannot be read: "
                      + PlannerErrors.oneLine(PlannerErrors.innermost(e)),
                  "Check its columns and WITH options, and that its format is on the class path")),
          e);
    }
  }

  private static KafkaSource<RowData> bounded(
      ResolvedSource.KafkaTable source, SourceInput.OfTopic input) {
    return TopicSource.bounded(source.topic(), input.ranges());
  }

  /** The rows between offsets, partition and offset behind the columns of the table. */
  private Table cut(
      FlinkSession in, ResolvedSource.KafkaTable source, KafkaSource<RowData> planned) {
    Map<String, String> options = new LinkedHashMap<>(TopicTableFactory.options(planned));
    options.put("properties." + KafkaTopic.ISOLATION_LEVEL, source.topic().isolation().toString());
    Place partition = Place.of(in, source, "partition", ResolvedSource.ORDINAL, "INT");
    Place offset = Place.of(in, source, "offset", ResolvedSource.OFFSET, "BIGINT");
    String added =
        Stream.of(partition, offset)
            .flatMap(place -> place.definition().stream())
            .collect(Collectors.joining(", "));
    String name = names.next(source.name().last());
    in.tables()
        .executeSql(
            "CREATE TEMPORARY TABLE "
                + Sql.quote(name)
                + (added.isEmpty() ? "" : " (" + added + ")")
                + " WITH ("
                + options.entrySet().stream()
                    .map(each -> "'" + each.getKey() + "' = '" + each.getValue() + "'")
                    .collect(Collectors.joining(", "))
                + ") LIKE "
                + source.name().quoted()
                + " (EXCLUDING WATERMARKS EXCLUDING CONSTRAINTS OVERWRITING OPTIONS)");
    return in.tables()
        .sqlQuery(
            "SELECT "
                + source.columns().getFieldNames().stream()
                    .map(Sql::quote)
                    .collect(Collectors.joining(", "))
                + ", "
                + partition.selected()
                + ", "
                + offset.selected()
                + " FROM "
                + Sql.quote(name));
  }

  /**
   * Where partition or offset comes from: a metadata column of the table, for Flink allows only one
   * per kind, or one that is added.
   */
  private record Place(Optional<String> definition, String selected) {

    static Place of(
        FlinkSession in,
        ResolvedSource.KafkaTable source,
        String metadata,
        String hidden,
        String type) {
      Optional<String> declared =
          in.tables().from(source.name().quoted()).getResolvedSchema().getColumns().stream()
              .filter(Column.MetadataColumn.class::isInstance)
              .map(Column.MetadataColumn.class::cast)
              .filter(column -> column.getMetadataKey().orElse(column.getName()).equals(metadata))
              .map(Column::getName)
              .findFirst();
      String name = Sql.quote(hidden);
      return declared
          .map(
              column ->
                  new Place(
                      Optional.empty(),
                      "CAST(" + Sql.quote(column) + " AS " + type + ") AS " + name))
          .orElseGet(
              () ->
                  new Place(
                      Optional.of(
                          name + " " + type + " NOT NULL METADATA FROM '" + metadata + "' VIRTUAL"),
                      name));
    }
  }
}
