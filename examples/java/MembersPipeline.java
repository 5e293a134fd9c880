package examples;

import static org.apache.flink.table.api.Expressions.$;

import io.sluice.api.PipelineDefinition;
import io.sluice.api.ScdType;
import io.sluice.api.SluiceEnvironment;
import io.sluice.api.Snapshot;
import io.sluice.api.Source;
import io.sluice.errors.SluiceException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import org.apache.flink.table.api.DataTypes;

/**
 * Members of a club: a change feed keeps the table of current members, and one whole list of an older
 * program is filled in as of a moment. Newer changes win over the list, the list wins over older ones.
 *
 * <pre>
 * examples/java/run MembersPipeline demo/members
 * </pre>
 */
public final class MembersPipeline {

  /** As of when the older program's list is complete. */
  public static final Instant LIST_MADE_AT = Instant.parse("2025-01-01T00:00:00Z");

  private MembersPipeline() {}

  /** A view that gives the feed its types, and the flow that applies it. */
  public static PipelineDefinition changesOnly(String feed) {
    PipelineDefinition pipeline = PipelineDefinition.named("java_members");
    pipeline
        .view("member_changes")
        .from(
            Source.files(feed + "/*.json")
                .format("json")
                .schema("member_id INT, name STRING, town STRING, operation STRING, at STRING"),
            rows ->
                rows.addOrReplaceColumns(
                    $("at").toTimestamp().cast(DataTypes.TIMESTAMP_LTZ(6)).as("at")));
    pipeline.streamingTable("java_members");
    pipeline
        .autoCdcFlow("members_changes")
        .into("java_members")
        .from(Source.stream("member_changes"))
        .keys("member_id")
        .sequenceBy("at")
        .applyAsDeletes("operation = 'DELETE'")
        .columnsExcept("operation", "at")
        .storedAs(ScdType.TYPE_1);
    return pipeline;
  }

  /** The same with the list of the older program, which is applied once. */
  public static PipelineDefinition withList(String feed) {
    PipelineDefinition pipeline = changesOnly(feed);
    pipeline
        .autoCdcFromSnapshotFlow("members_list")
        .into("java_members")
        .fromSnapshots(MembersPipeline::list)
        .keys("member_id")
        .storedAs(ScdType.TYPE_1)
        .once();
    return pipeline;
  }

  private static Optional<Snapshot<Instant>> list(Optional<Instant> latest) {
    return latest.isEmpty()
        ? Optional.of(Snapshot.of(Source.table("members_of_the_older_program"), LIST_MADE_AT))
        : Optional.empty();
  }

  /**
   * Runs one update.
   *
   * @param arguments folder of the feed
   */
  public static void main(String[] arguments) {
    if (arguments.length != 1) {
      System.err.println("usage: examples/java/run MembersPipeline FOLDER");
      System.exit(2);
    }
    try (SluiceEnvironment environment = SluiceEnvironment.local(Path.of("warehouse"))) {
      environment.run(withList(arguments[0])).orThrow().targets().stream()
          .flatMap(table -> table.flows().stream())
          .forEach(flow -> System.out.println(flow.flow() + ": " + flow.rowsRead() + " read"));
    } catch (SluiceException e) {
      System.err.println(e.getMessage());
      System.exit(1);
    }
  }
}
