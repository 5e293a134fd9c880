package io.sluice.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.catalog.CatalogConnection;
import io.sluice.pipeline.Pipeline;
import io.sluice.plan.TargetStatus;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code sluice status}: what the ledgers of a pipeline's tables say. */
@Command(
    name = "status",
    mixinStandardHelpOptions = true,
    description = "Shows per table and flow what is committed, and which ONCE flows have run.")
final class StatusCommand extends PipelineCommand {

  @Parameters(paramLabel = "FILE", description = "The pipeline file.")
  private Path file;

  StatusCommand(Console console) {
    super(console);
  }

  @Override
  public Integer call() {
    try (CatalogConnection connection = connect(file)) {
      Pipeline pipeline = load(file, connection);
      List<TargetStatus> targets = TargetStatus.of(connection, pipeline);
      switch (output) {
        case TEXT -> text(targets);
        case JSON -> json(targets);
      }
      return 0;
    }
  }

  private void text(List<TargetStatus> targets) {
    TextTable table =
        new TextTable(
            "target",
            "flow",
            "kind",
            "updates",
            "committed at",
            "snapshot",
            "tombstones",
            "once",
            "position");
    for (TargetStatus target : targets) {
      for (TargetStatus.FlowStatus flow : target.flows()) {
        table.row(
            target.target(),
            flow.flow(),
            flow.kind(),
            target.updates(),
            target.committedAt().map(Instant::toString).orElse("never"),
            target.snapshot().isPresent() ? target.snapshot().getAsLong() : "none",
            target.tombstones(),
            flow.ranAt().map(at -> "ran " + at + ", definition " + flow.digest().get()).orElse(""),
            String.join("; ", flow.positions()));
      }
    }
    console.out().print(table);
    targets.forEach(
        target ->
            target
                .keptBy()
                .ifPresent(
                    started ->
                        console
                            .out()
                            .println(
                                target.target()
                                    + " is kept by the continuous run that was started "
                                    + started)));
    console.out().flush();
  }

  private void json(List<TargetStatus> targets) {
    ObjectNode root = new ObjectMapper().createObjectNode();
    ArrayNode list = root.putArray("targets");
    for (TargetStatus target : targets) {
      ObjectNode node = list.addObject();
      node.put("target", target.target());
      node.put("updates", target.updates());
      node.put("tombstones", target.tombstones());
      target.committedAt().ifPresent(at -> node.put("committedAt", at.toString()));
      target.snapshot().ifPresent(id -> node.put("snapshot", id));
      target.keptBy().ifPresent(run -> node.put("continuousRun", run));
      ArrayNode flows = node.putArray("flows");
      for (TargetStatus.FlowStatus flow : target.flows()) {
        ObjectNode each = flows.addObject();
        each.put("flow", flow.flow());
        each.put("kind", flow.kind());
        flow.ranAt().ifPresent(at -> each.put("onceRanAt", at.toString()));
        flow.digest().ifPresent(digest -> each.put("onceDigest", digest));
        flow.positions().forEach(each.putArray("positions")::add);
      }
    }
    new ResultPrinter(console).print(root);
  }
}
