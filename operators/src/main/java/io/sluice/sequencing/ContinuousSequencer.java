package io.sluice.sequencing;

import io.sluice.sequencing.RowChange.Destination;
import java.time.Duration;
import java.util.Map;
import org.apache.flink.streaming.api.datastream.*;
import org.apache.iceberg.Table;

public final class ContinuousSequencer {
  public ContinuousSequencer(
      TargetLayout layout,
      SequencerPlan plan,
      Duration w,
      Duration r,
      Map<Destination, Table> t,
      Map<Destination, RowOrder> o,
      String op) {}

  public static SingleOutputStreamOperator<UpdateOutput> keyed(
      DataStream<PackedRecord> e, DataStream<PackedRecord> r, ContinuousSequencer op) {
    throw new UnsupportedOperationException();
  }
}
