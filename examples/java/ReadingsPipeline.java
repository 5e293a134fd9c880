package examples;

import io.sluice.api.PipelineDefinition;
import io.sluice.api.ScdType;
import io.sluice.api.SluiceEnvironment;
import io.sluice.api.Source;
import io.sluice.errors.SluiceException;
import io.sluice.pipeline.ViewInputs;
import java.nio.file.Path;
import java.util.List;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.table.api.Table;
import org.apache.flink.types.Row;

/**
 * The state of meters, from two feeds: one of lines that a DataStream takes apart, one in SQL. Both
 * flows write into one table.
 *
 * <pre>
 * examples/java/run ReadingsPipeline demo/readings
 * </pre>
 */
public final class ReadingsPipeline {

  private ReadingsPipeline() {}

  /** The pipeline. */
  public static PipelineDefinition define(String landing) {
    PipelineDefinition pipeline = PipelineDefinition.named("java_readings");
    pipeline.set("landing", landing);
    pipeline
        .view("lines_taken_apart")
        .from(
            List.of(
                Source.files(landing + "/lines/*.json").format("json").schema("line STRING")),
            ReadingsPipeline::takeApart);
    pipeline.sql(
        """
        CREATE OR REFRESH STREAMING TABLE java_meters;

        CREATE FLOW meters_of_the_office AS
        AUTO CDC INTO java_meters
        FROM STREAM read_files('${landing}/office/*.json', format => 'json',
          schema => 'meter STRING, reading INT, at BIGINT')
        KEYS (meter)
        SEQUENCE BY at
        STORED AS SCD TYPE 2
        TRACK HISTORY ON (reading);
        """);
    pipeline
        .autoCdcFlow("meters_of_the_lines")
        .into("java_meters")
        .from(Source.stream("lines_taken_apart"))
        .keys("meter")
        .sequenceBy("at")
        .storedAs(ScdType.TYPE_2)
        .trackHistoryOn("reading");
    return pipeline;
  }

  /** {@code meter;reading;at} in every line. */
  private static Table takeApart(ViewInputs inputs) {
    DataStream<Row> readings =
        inputs
            .stream(0)
            .map(ReadingsPipeline::reading)
            .returns(
                Types.ROW_NAMED(
                    new String[] {"meter", "reading", "at"},
                    Types.STRING,
                    Types.INT,
                    Types.LONG));
    return inputs.tables().fromDataStream(readings);
  }

  private static Row reading(Row line) {
    String[] parts = String.valueOf(line.getField("line")).split(";");
    return Row.of(parts[0], Integer.valueOf(parts[1]), Long.valueOf(parts[2]));
  }

  /**
   * Runs one update.
   *
   * @param arguments landing folder
   */
  public static void main(String[] arguments) {
    if (arguments.length != 1) {
      System.err.println("usage: examples/java/run ReadingsPipeline FOLDER");
      System.exit(2);
    }
    try (SluiceEnvironment environment = SluiceEnvironment.local(Path.of("warehouse"))) {
      environment.run(define(arguments[0])).orThrow().targets().stream()
          .flatMap(table -> table.flows().stream())
          .forEach(flow -> System.out.println(flow.flow() + ": " + flow.rowsRead() + " read"));
    } catch (SluiceException e) {
      System.err.println(e.getMessage());
      System.exit(1);
    }
  }
}
