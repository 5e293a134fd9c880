package io.sluice.pipeline;

import java.util.List;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.api.Table;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.apache.flink.types.Row;

/**
 * What a {@link ViewFunction} works with. The environments live as long as one job; the execution
 * mode is batch, so that every computation is bounded.
 *
 * @param sources the declared sources in their order
 * @param tables the table environment; all tables of the function belong to it
 * @param execution the environment of DataStreams
 */
public record ViewInputs(
    List<Table> sources, StreamTableEnvironment tables, StreamExecutionEnvironment execution) {

  public ViewInputs {
    sources = List.copyOf(sources);
  }

  /** The source with a number, counted from 0. */
  public Table source(int number) {
    return sources.get(number);
  }

  /** The only source, or the first one. */
  public Table source() {
    return sources.get(0);
  }

  /** The rows of a source as a stream. */
  public DataStream<Row> stream(int number) {
    return tables.toDataStream(sources.get(number));
  }
}
