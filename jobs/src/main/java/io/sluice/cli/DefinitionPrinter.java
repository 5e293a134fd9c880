package io.sluice.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.plan.ResolvedFlow;
import io.sluice.plan.ResolvedPipeline;
import io.sluice.plan.ResolvedTarget;
import java.util.List;

/** Prints what a valid pipeline consists of. */
final class DefinitionPrinter {

  private final Console console;

  DefinitionPrinter(Console console) {
    this.console = console;
  }

  void print(ResolvedPipeline resolved, CatalogCommand.Output output) {
    switch (output) {
      case TEXT -> text(resolved);
      case JSON -> json(resolved);
    }
  }

  private void text(ResolvedPipeline resolved) {
    resolved.notices().forEach(notice -> console.err().println("notice: " + notice));
    TextTable table = new TextTable("level", "target", "flow", "kind", "comment", "columns");
    int level = 1;
    for (List<ResolvedTarget> targets : resolved.levels()) {
      for (ResolvedTarget target : targets) {
        for (ResolvedFlow flow : target.flows()) {
          table.row(
              level,
              target.table().name(),
              flow.flow().name(),
              flow.flow().kind() + (flow.idle() ? " (done)" : ""),
              flow.flow().comment().orElse(""),
              String.join(", ", target.fullColumns().getFieldNames()));
        }
      }
      level++;
    }
    console.out().print(table);
    console.out().println("valid");
    console.out().flush();
  }

  private void json(ResolvedPipeline resolved) {
    ObjectNode root = new ObjectMapper().createObjectNode();
    root.put("valid", true);
    ArrayNode targets = root.putArray("targets");
    int level = 1;
    for (List<ResolvedTarget> each : resolved.levels()) {
      for (ResolvedTarget target : each) {
        ObjectNode node = targets.addObject();
        node.put("level", level);
        node.put("target", target.table().name().toString());
        ArrayNode flows = node.putArray("flows");
        target
            .flows()
            .forEach(
                flow -> {
                  ObjectNode entry = flows.addObject();
                  entry.put("flow", flow.flow().name());
                  entry.put("kind", flow.flow().kind());
                  entry.put("done", flow.idle());
                  flow.flow().comment().ifPresent(comment -> entry.put("comment", comment));
                });
        ObjectNode columns = node.putObject("columns");
        target
            .fullColumns()
            .getFields()
            .forEach(field -> columns.put(field.getName(), field.getType().asSummaryString()));
      }
      level++;
    }
    ArrayNode views = root.putArray("views");
    resolved
        .pipeline()
        .views()
        .forEach(
            view -> {
              ObjectNode entry = views.addObject();
              entry.put("view", view.name().toString());
              view.comment().ifPresent(comment -> entry.put("comment", comment));
            });
    resolved.notices().forEach(root.putArray("notices")::add);
    new ResultPrinter(console).print(root);
  }
}
