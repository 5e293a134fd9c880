package io.sluice.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.catalog.CatalogConnection;
import io.sluice.errors.Problem;
import io.sluice.pipeline.Pipeline;
import io.sluice.plan.SourceLag;
import io.sluice.plan.TargetStatus;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code sluice status}: what the ledgers of a pipeline's tables say. */
@Command(
    name = "status",
    mixinStandardHelpOptions = true,
    description = "Shows per table and flow what is committed, and which ONCE flows have run.")
final class StatusCommand extends PipelineCommand {

  @Option(names = "--lag", description = "Look at the sources, too, and show what is not read yet.")
  private boolean lag;

  StatusCommand(Console console) {
    super(console);
  }

  @Override
  int call(CatalogConnection connection, Pipeline pipeline) {
    List<TargetStatus> targets = TargetStatus.of(connection, pipeline);
    List<Problem> problems = new ArrayList<>();
    Map<String, Map<String, List<SourceLag>>> lags =
        lag
            ? SourceLag.of(connection, pipeline, resolve(connection, pipeline), problems::add)
            : Map.of();
    switch (output) {
      case TEXT -> text(targets, lags);
      case JSON -> json(targets, lags, problems);
    }
    problems.forEach(problem -> ErrorPrinter.print(console, problem));
    return problems.isEmpty() ? 0 : ErrorPrinter.exitCode(problems.get(0).code());
  }

  /** Empty where a flow goes on reading nothing, and where its sources could not be looked at. */
  private static List<SourceLag> of(
      Map<String, Map<String, List<SourceLag>>> lags, TargetStatus target, String flow) {
    return lags.getOrDefault(target.target(), Map.of()).getOrDefault(flow, List.of());
  }

  private void text(List<TargetStatus> targets, Map<String, Map<String, List<SourceLag>>> lags) {
    List<String> columns =
        new ArrayList<>(
            List.of(
                "target",
                "flow",
                "kind",
                "updates",
                "committed at",
                "snapshot",
                "tombstones",
                "once",
                "position"));
    if (lag) {
      columns.add("not read");
    }
    TextTable table = new TextTable(columns.toArray(String[]::new));
    for (TargetStatus target : targets) {
      for (TargetStatus.FlowStatus flow : target.flows()) {
        List<Object> row =
            new ArrayList<>(
                List.of(
                    target.target(),
                    flow.flow(),
                    flow.kind(),
                    target.updates(),
                    target.committedAt().map(Instant::toString).orElse("never"),
                    target.snapshot().isPresent() ? target.snapshot().getAsLong() : "none",
                    target.tombstones(),
                    flow.ranAt()
                        .map(at -> "ran " + at + ", definition " + flow.digest().get())
                        .orElse(""),
                    String.join("; ", flow.positions())));
        if (lag) {
          row.add(
              of(lags, target, flow.flow()).stream()
                  .map(SourceLag::toString)
                  .collect(Collectors.joining("; ")));
        }
        table.row(row.toArray());
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

  private void json(
      List<TargetStatus> targets,
      Map<String, Map<String, List<SourceLag>>> lags,
      List<Problem> problems) {
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
        if (lag) {
          ArrayNode unread = each.putArray("notRead");
          of(lags, target, flow.flow())
              .forEach(
                  source ->
                      unread
                          .addObject()
                          .put("source", source.source())
                          .put("count", source.unread())
                          .put("unit", source.unit()));
        }
      }
    }
    if (lag) {
      ResultPrinter.write(problems, root.putArray("problems"));
    }
    new ResultPrinter(console).print(root);
  }
}
