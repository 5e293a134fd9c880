package io.sluice.kafka;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.DataStreamSource;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.transformations.SourceTransformation;
import org.apache.flink.streaming.connectors.kafka.table.KafkaDynamicSource;
import org.apache.flink.table.connector.ChangelogMode;
import org.apache.flink.table.connector.ProviderContext;
import org.apache.flink.table.connector.source.DataStreamScanProvider;
import org.apache.flink.table.connector.source.DynamicTableSource;
import org.apache.flink.table.connector.source.ScanTableSource;
import org.apache.flink.table.connector.source.abilities.SupportsReadingMetadata;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.DataType;

/**
 * A table of Flink's Kafka connector that reads what a plan says.
 *
 * @param table makes rows of messages
 * @param planned hands out the partitions
 */
record TopicTable(KafkaDynamicSource table, KafkaSource<RowData> planned)
    implements ScanTableSource, SupportsReadingMetadata {

  @Override
  public ChangelogMode getChangelogMode() {
    return table.getChangelogMode();
  }

  @Override
  public ScanRuntimeProvider getScanRuntimeProvider(ScanContext context) {
    return new Provider(
        (DataStreamScanProvider) table.getScanRuntimeProvider(context),
        planned,
        table.asSummaryString());
  }

  private record Provider(
      DataStreamScanProvider provider, KafkaSource<RowData> planned, String name)
      implements DataStreamScanProvider {

    @Override
    public DataStream<RowData> produceDataStream(
        ProviderContext context, StreamExecutionEnvironment environment) {
      SourceTransformation<?, ?, ?> messages =
          (SourceTransformation<?, ?, ?>)
              provider.produceDataStream(context, environment).getTransformation();
      @SuppressWarnings("unchecked")
      KafkaSource<RowData> reader = (KafkaSource<RowData>) messages.getSource();
      DataStreamSource<RowData> rows =
          environment.fromSource(
              new PlannedSource(planned, reader), WatermarkStrategy.noWatermarks(), name);
      context.generateUid("kafka").ifPresent(rows::uid);
      return rows;
    }

    @Override
    public boolean isBounded() {
      return planned.getBoundedness() == Boundedness.BOUNDED;
    }

    @Override
    public Optional<Integer> getParallelism() {
      return provider.getParallelism();
    }
  }

  @Override
  public Map<String, DataType> listReadableMetadata() {
    return table.listReadableMetadata();
  }

  @Override
  public void applyReadableMetadata(List<String> keys, DataType producedType) {
    table.applyReadableMetadata(keys, producedType);
  }

  @Override
  public boolean supportsMetadataProjection() {
    return table.supportsMetadataProjection();
  }

  @Override
  public DynamicTableSource copy() {
    return new TopicTable((KafkaDynamicSource) table.copy(), planned);
  }

  @Override
  public String asSummaryString() {
    return table.asSummaryString();
  }
}
