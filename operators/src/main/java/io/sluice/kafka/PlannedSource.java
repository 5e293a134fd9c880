package io.sluice.kafka;

import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.java.typeutils.ResultTypeQueryable;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.enumerator.KafkaSourceEnumState;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.table.data.RowData;

/** A source of a topic whose partitions one source hands out and another one reads. */
final class PlannedSource
    implements Source<RowData, KafkaPartitionSplit, KafkaSourceEnumState>,
        ResultTypeQueryable<RowData> {

  private static final long serialVersionUID = 1L;

  private final KafkaSource<RowData> planned;
  private final KafkaSource<RowData> reader;

  PlannedSource(KafkaSource<RowData> planned, KafkaSource<RowData> reader) {
    this.planned = planned;
    this.reader = reader;
  }

  @Override
  public Boundedness getBoundedness() {
    return planned.getBoundedness();
  }

  @Override
  public SplitEnumerator<KafkaPartitionSplit, KafkaSourceEnumState> createEnumerator(
      SplitEnumeratorContext<KafkaPartitionSplit> context) {
    return planned.createEnumerator(context);
  }

  @Override
  public SplitEnumerator<KafkaPartitionSplit, KafkaSourceEnumState> restoreEnumerator(
      SplitEnumeratorContext<KafkaPartitionSplit> context, KafkaSourceEnumState state)
      throws Exception {
    return planned.restoreEnumerator(context, state);
  }

  @Override
  public SimpleVersionedSerializer<KafkaPartitionSplit> getSplitSerializer() {
    return planned.getSplitSerializer();
  }

  @Override
  public SimpleVersionedSerializer<KafkaSourceEnumState> getEnumeratorCheckpointSerializer() {
    return planned.getEnumeratorCheckpointSerializer();
  }

  @Override
  public SourceReader<RowData, KafkaPartitionSplit> createReader(SourceReaderContext context)
      throws Exception {
    return reader.createReader(context);
  }

  @Override
  public TypeInformation<RowData> getProducedType() {
    return reader.getProducedType();
  }
}
