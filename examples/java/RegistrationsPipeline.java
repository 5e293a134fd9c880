package examples;

import static org.apache.flink.table.api.Expressions.$;

import io.sluice.api.FileSource;
import io.sluice.api.PipelineDefinition;
import io.sluice.api.SluiceEnvironment;
import io.sluice.api.Source;
import io.sluice.errors.SluiceException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Registrations for events: JSON files in folders of years, months and days. The pipeline began with
 * the files of one year; the years before are added later, each by a flow that runs once.
 *
 * <pre>
 * examples/java/run RegistrationsPipeline demo/registrations 2025 2022 2023 2024
 * </pre>
 */
public final class RegistrationsPipeline {

  private RegistrationsPipeline() {}

  /** The first version: a table and its one flow in one declaration. */
  public static PipelineDefinition first(String landing, int beginYear) {
    PipelineDefinition pipeline = PipelineDefinition.named("java_registrations");
    pipeline
        .streamingTable("java_registrations_raw")
        .comment("Registrations as they arrive")
        .from(arriving(landing).where("year(`timestamp`) >= " + beginYear));
    return pipeline;
  }

  /** The same table, its flow by its own name, and a backfill flow for each earlier year. */
  public static PipelineDefinition withBackfill(
      String landing, int beginYear, List<Integer> years) {
    PipelineDefinition pipeline = PipelineDefinition.named("java_registrations");
    pipeline
        .streamingTable("java_registrations_raw")
        .comment("Registrations as they arrive, and those of earlier years");
    // The first version's flow has the table's name; it goes on where that one was.
    pipeline.set("sluice.renamed-from.registrations_incremental", "java_registrations_raw");
    pipeline
        .appendFlow("registrations_incremental")
        .into("java_registrations_raw")
        .comment("Registrations as they arrive")
        .from(arriving(landing).where("year(`timestamp`) >= " + beginYear));
    for (int year : years) {
      pipeline
          .appendFlow("registrations_backfill_" + year)
          .into("java_registrations_raw")
          .once()
          .comment("Registrations of " + year)
          .from(
              Source.files(landing + "/year=" + year + "/*/*")
                  .format("json")
                  .option("inferColumnTypes", true)
                  .batch());
    }
    return pipeline;
  }

  /** The guard against files of earlier years, written with the Table API instead of SQL. */
  public static PipelineDefinition guardedByExpression(String landing, long beginYear) {
    PipelineDefinition pipeline = PipelineDefinition.named("java_registrations_guarded");
    pipeline.streamingTable("java_registrations_guarded");
    pipeline
        .appendFlow("registrations_guarded")
        .into("java_registrations_guarded")
        .from(arriving(landing), rows -> rows.filter($("year").isGreaterOrEqual(beginYear)));
    return pipeline;
  }

  private static FileSource arriving(String landing) {
    return Source.files(landing + "/*/*/*")
        .format("json")
        .option("inferColumnTypes", true)
        .option("maxFilesPerTrigger", 100)
        .option("schemaEvolutionMode", "addNewColumns")
        .option("modifiedAfter", "2024-12-31T23:59:59.999+00:00");
  }

  /**
   * Runs one update.
   *
   * @param arguments landing folder, first year, years to fill in
   */
  public static void main(String[] arguments) {
    if (arguments.length < 2) {
      System.err.println("usage: examples/java/run RegistrationsPipeline FOLDER FIRST_YEAR [YEAR ..]");
      System.exit(2);
    }
    int beginYear = Integer.parseInt(arguments[1]);
    List<Integer> years =
        IntStream.range(2, arguments.length)
            .mapToObj(at -> Integer.valueOf(arguments[at]))
            .toList();
    try (SluiceEnvironment environment = SluiceEnvironment.local(Path.of("warehouse"))) {
      environment.run(withBackfill(arguments[0], beginYear, years)).orThrow().targets().stream()
          .flatMap(table -> table.flows().stream())
          .forEach(flow -> System.out.println(flow.flow() + ": " + flow.rowsRead() + " read"));
    } catch (SluiceException e) {
      System.err.println(e.getMessage());
      System.exit(1);
    }
  }
}
