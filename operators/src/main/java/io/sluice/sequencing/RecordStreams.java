package io.sluice.sequencing;

import io.sluice.table.RowSplit;
import io.sluice.table.Tidying;
import java.util.List;
import org.apache.flink.api.common.eventtime.TimestampAssigner;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.KeyedStream;

/**
 * How records reach the keyed operator of a bounded job. Flink sorts them there by key and
 * timestamp, and compares the first eight bytes of both without looking at the records; where these
 * are equal it reads both back from its sort buffer, byte by byte. So keys take six bytes ({@link
 * RowKey#sortKey}), and the first two of the timestamps are the order of arrival, which tells the
 * records of one key apart.
 */
public final class RecordStreams {

  private static final int COUNTED_BITS = Short.SIZE;

  private RecordStreams() {}

  /** Gives the records of one producer their timestamps; chained to the producer. */
  public static DataStream<PackedRecord> arriving(DataStream<PackedRecord> records) {
    return records
        .assignTimestampsAndWatermarks(
            WatermarkStrategy.<PackedRecord>noWatermarks()
                .withTimestampAssigner(context -> new Arrivals()))
        .name("arrivals");
  }

  /**
   * The rows that a table has of the keys of an update.
   *
   * @param keys the key sets of all flows
   * @param splits all parts of the table's files
   * @param reader reads them
   * @param tidying which files are emptied on this occasion
   * @param name what is read, for people
   */
  public static DataStream<PackedRecord> existing(
      DataStream<KeySet> keys,
      List<RowSplit> splits,
      ExistingRowsFunction reader,
      Tidying tidying,
      String name) {
    int readers = keys.getExecutionEnvironment().getParallelism();
    return arriving(
        keys.transform(
                "plan reading of " + name,
                JavaSerializer.typeOf(ReadOrder.class),
                new ReadPlanOperator(reader.table(), reader.decoder(), splits, tidying, readers))
            .forceNonParallel()
            .partitionCustom((order, channels) -> order % channels, ReadOrder::reader)
            .process(reader)
            .returns(SimpleTypeInformation.ofRecords())
            .name("existing rows of " + name)
            .setParallelism(readers));
  }

  /** The records by key, as the {@link Sequencer} takes them. */
  public static KeyedStream<PackedRecord, Long> byKey(DataStream<PackedRecord> records) {
    return records.keyBy(
        PackedRecord::sortKey, new SimpleTypeInformation<>(Long.class, SortKeySerializer.INSTANCE));
  }

  private static final class Arrivals implements TimestampAssigner<PackedRecord> {

    private long arrived;

    @Override
    public long extractTimestamp(PackedRecord record, long timestamp) {
      return arrived++ << (Long.SIZE - COUNTED_BITS);
    }
  }
}
