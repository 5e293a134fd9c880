package io.sluice.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.catalog.CatalogConnection;
import io.sluice.errors.ErrorCode;
import io.sluice.errors.SluiceException;
import io.sluice.pipeline.Pipeline;
import io.sluice.run.CutoverReport;
import io.sluice.run.CutoverReport.FlowReport;
import io.sluice.run.CutoverValidation;
import io.sluice.run.FlinkRuntime;
import io.sluice.sequencing.UpdateOutput.CutoverSample;
import java.util.List;
import picocli.CommandLine.Command;

/** {@code sluice validate-cutover}: are live events behind what was seeded, key by key? */
@Command(
    name = "validate-cutover",
    mixinStandardHelpOptions = true,
    description =
        "Checks per key that live events begin behind the last seeded one. Moves no data.")
final class ValidateCutoverCommand extends PipelineCommand {

  ValidateCutoverCommand(Console console) {
    super(console);
  }

  @Override
  int call(CatalogConnection connection, Pipeline pipeline) {
    int parallelism = parallelism(pipeline.settings());
    List<CutoverReport> reports;
    try (FlinkRuntime runtime = FlinkRuntime.ofThisProcess(parallelism)) {
      reports = new CutoverValidation(connection, runtime, parallelism).validate(pipeline);
    }
    if (reports.isEmpty()) {
      throw new SluiceException(
          ErrorCode.INVALID_CALL,
          file + " has no table with a seed and a live flow",
          "A seed is an AUTO CDC ONCE flow; the live flow into the same table is AUTO CDC");
    }
    switch (output) {
      case TEXT -> text(reports);
      case JSON -> json(reports);
    }
    return reports.stream().allMatch(CutoverReport::clean) ? 0 : 1;
  }

  private void text(List<CutoverReport> reports) {
    TextTable table =
        new TextTable(
            "target",
            "flow",
            "seeded keys",
            "live keys",
            "violating keys",
            "violations",
            "safe behind");
    TextTable samples =
        new TextTable("target", "flow", "key", "last seeded sequence", "first live sequence");
    boolean clean = true;
    for (CutoverReport report : reports) {
      clean &= report.clean();
      if (report.untold()) {
        console
            .err()
            .println(
                "notice: seeds of "
                    + report.target()
                    + " have run of which no tag keeps what they gave; their keys are not checked");
      }
      for (FlowReport flow : report.flows()) {
        table.row(
            report.target(),
            flow.flow(),
            report.seededKeys(),
            flow.liveKeys(),
            flow.violatingKeys(),
            flow.violations(),
            flow.safeBoundary().orElse("(all safe)"));
        for (CutoverSample sample : flow.samples()) {
          samples.row(
              report.target(), flow.flow(), sample.key(), sample.lastSeeded(), sample.firstLive());
        }
        if (flow.invalid() > 0) {
          console
              .err()
              .println(
                  "notice: "
                      + flow.invalid()
                      + " records of flow '"
                      + flow.flow()
                      + "' are no events and were left out");
        }
      }
    }
    console.out().print(table);
    if (!clean) {
      console.out().println();
      console.out().print(samples);
    }
    console.out().flush();
    console.err().flush();
  }

  private void json(List<CutoverReport> reports) {
    ObjectNode root = new ObjectMapper().createObjectNode();
    root.put("clean", reports.stream().allMatch(CutoverReport::clean));
    ArrayNode targets = root.putArray("targets");
    for (CutoverReport report : reports) {
      ObjectNode target = targets.addObject();
      target.put("target", report.target());
      target.put("seededKeys", report.seededKeys());
      target.put("seedsWithoutTag", report.untold());
      ArrayNode flows = target.putArray("flows");
      for (FlowReport flow : report.flows()) {
        ObjectNode node = flows.addObject();
        node.put("flow", flow.flow());
        node.put("liveKeys", flow.liveKeys());
        node.put("violatingKeys", flow.violatingKeys());
        node.put("violations", flow.violations());
        flow.safeBoundary().ifPresent(boundary -> node.put("safeBoundary", boundary));
        node.put("invalid", flow.invalid());
        ArrayNode samples = node.putArray("samples");
        for (CutoverSample sample : flow.samples()) {
          ObjectNode each = samples.addObject();
          each.put("key", sample.key());
          each.put("lastSeeded", sample.lastSeeded());
          each.put("firstLive", sample.firstLive());
        }
      }
    }
    new ResultPrinter(console).print(root);
  }
}
