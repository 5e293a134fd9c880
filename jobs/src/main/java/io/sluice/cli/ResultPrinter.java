package io.sluice.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.errors.Problem;
import io.sluice.errors.SluiceException;
import io.sluice.run.ExpectationResult;
import io.sluice.run.FlowResult;
import io.sluice.run.TargetResult;
import io.sluice.run.UpdateResult;
import io.sluice.sequencing.Expectation;
import java.util.List;
import java.util.Locale;

/** Prints what an update did. */
final class ResultPrinter {

  private static final ObjectMapper JSON = new ObjectMapper();

  private final Console console;

  ResultPrinter(Console console) {
    this.console = console;
  }

  void text(UpdateResult result) {
    result.notices().forEach(notice -> console.err().println("notice: " + notice));
    TextTable table =
        new TextTable(
            "target",
            "flow",
            "kind",
            "read",
            "inserted",
            "updated",
            "deleted",
            "late",
            "ties",
            "invalid",
            "seconds",
            "snapshot");
    for (TargetResult target : result.targets()) {
      String seconds = "%.1f".formatted(target.seconds());
      String snapshot =
          target.snapshot().isPresent() ? Long.toString(target.snapshot().getAsLong()) : "none";
      boolean shared = target.flows().stream().anyMatch(flow -> flow.inserted() < 0);
      for (FlowResult flow : target.flows()) {
        table.row(
            target.target(),
            flow.flow(),
            flow.kind() + suffix(flow.state()),
            flow.rowsRead(),
            number(flow.inserted()),
            number(flow.updated()),
            number(flow.deleted()),
            flow.late(),
            flow.ties(),
            flow.invalid(),
            seconds,
            snapshot);
      }
      if (shared) {
        table.row(
            target.target(),
            "(all)",
            "",
            target.flows().stream().mapToLong(FlowResult::rowsRead).sum(),
            target.inserted(),
            target.updated(),
            target.deleted(),
            target.flows().stream().mapToLong(FlowResult::late).sum(),
            target.flows().stream().mapToLong(FlowResult::ties).sum(),
            target.flows().stream().mapToLong(FlowResult::invalid).sum(),
            seconds,
            snapshot);
      }
    }
    if (!result.targets().isEmpty()) {
      console.out().print(table);
    }
    expectations(result);
    result
        .failures()
        .forEach((target, problems) -> problems.forEach(p -> ErrorPrinter.print(console, p)));
    result
        .skipped()
        .forEach(
            target ->
                console
                    .err()
                    .println("skipped: " + target + ", because a table that it reads failed"));
    console.out().flush();
    console.err().flush();
  }

  /** A second table, where there are expectations. */
  private void expectations(UpdateResult result) {
    TextTable table =
        new TextTable("target", "flow", "expectation", "on violation", "passed", "failed");
    boolean any = false;
    for (TargetResult target : result.targets()) {
      for (FlowResult flow : target.flows()) {
        for (ExpectationResult each : flow.expectations()) {
          any = true;
          table.row(
              target.target(),
              flow.flow(),
              each.dataset().equals(target.target())
                  ? each.name()
                  : each.name() + " of " + each.dataset(),
              onViolation(each.action()),
              each.passed(),
              each.failed());
        }
      }
    }
    if (any) {
      console.out().println();
      console.out().print(table);
    }
  }

  private static String onViolation(Expectation.Action action) {
    return switch (action) {
      case KEEP -> "keep row";
      case DROP -> "drop row";
      case FAIL -> "fail update";
    };
  }

  private static String suffix(FlowResult.State state) {
    return switch (state) {
      case RAN -> "";
      case UP_TO_DATE -> " (nothing new)";
      case DONE -> " (done)";
    };
  }

  private static String number(long value) {
    return value < 0 ? "-" : Long.toString(value);
  }

  void json(UpdateResult result) {
    ObjectNode root = JSON.createObjectNode();
    root.put("succeeded", result.succeeded());
    ArrayNode targets = root.putArray("targets");
    for (TargetResult target : result.targets()) {
      ObjectNode node = targets.addObject();
      node.put("target", target.target());
      node.put("inserted", target.inserted());
      node.put("updated", target.updated());
      node.put("deleted", target.deleted());
      node.put("rowsMoved", target.rowsMoved());
      node.put("existingRowsRead", target.existingRowsRead());
      node.put("existingBytesRead", target.existingBytesRead());
      ObjectNode tombstones = node.putObject("tombstones");
      tombstones.put("live", target.tombstones().live());
      tombstones.put("collected", target.tombstones().collected());
      tombstones.put("arrivedAfterCollection", target.tombstones().arrivedAfterCollection());
      node.put("commits", target.steps());
      node.put("seconds", target.seconds());
      target.snapshot().ifPresent(id -> node.put("snapshot", id));
      ArrayNode flows = node.putArray("flows");
      target.flows().forEach(flow -> write(flow, flows.addObject()));
    }
    ArrayNode failures = root.putArray("failures");
    result.failures().forEach((target, problems) -> write(target, problems, failures.addObject()));
    result.skipped().forEach(root.putArray("skipped")::add);
    result.notices().forEach(root.putArray("notices")::add);
    print(root);
  }

  private static void write(FlowResult flow, ObjectNode node) {
    node.put("flow", flow.flow());
    node.put("kind", flow.kind());
    node.put("state", flow.state().name().toLowerCase(Locale.ROOT));
    node.put("rowsRead", flow.rowsRead());
    if (flow.inserted() >= 0) {
      node.put("inserted", flow.inserted());
      node.put("updated", flow.updated());
      node.put("deleted", flow.deleted());
    }
    node.put("late", flow.late());
    node.put("ties", flow.ties());
    node.put("invalid", flow.invalid());
    node.put("cutoverViolations", flow.cutoverViolations());
    node.put("dropped", flow.dropped());
    ArrayNode expectations = node.putArray("expectations");
    flow.expectations().forEach(each -> write(each, expectations.addObject()));
  }

  private static void write(ExpectationResult result, ObjectNode node) {
    node.put("dataset", result.dataset());
    node.put("name", result.name());
    node.put("onViolation", onViolation(result.action()));
    node.put("passed", result.passed());
    node.put("failed", result.failed());
    node.put("dropped", result.dropped());
  }

  /** The problems that kept an update from running. */
  void json(SluiceException failure) {
    ObjectNode root = JSON.createObjectNode();
    root.put("succeeded", false);
    write(failure.problems(), root.putArray("problems"));
    print(root);
  }

  private static void write(String target, List<Problem> problems, ObjectNode node) {
    node.put("target", target);
    write(problems, node.putArray("problems"));
  }

  static void write(List<Problem> problems, ArrayNode list) {
    for (Problem problem : problems) {
      ObjectNode each = list.addObject();
      each.put("code", problem.code().name());
      problem.location().ifPresent(where -> each.put("at", where.toString()));
      each.put("message", problem.message());
      each.put("remedy", problem.remedy());
    }
  }

  void print(ObjectNode root) {
    try {
      console.out().println(JSON.writerWithDefaultPrettyPrinter().writeValueAsString(root));
      console.out().flush();
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }
}
