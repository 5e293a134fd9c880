package io.sluice.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.run.MaintainedTable;
import java.util.List;
import java.util.Locale;

/** Prints what maintenance did. */
final class MaintenancePrinter {

  private final Console console;

  MaintenancePrinter(Console console) {
    this.console = console;
  }

  void text(List<MaintainedTable> results) {
    TextTable table =
        new TextTable(
            "table",
            "files",
            "after",
            "deletes",
            "after",
            "bytes",
            "after",
            "snapshots expired",
            "orphans removed",
            "seconds");
    for (MaintainedTable result : results) {
      table.row(
          result.table(),
          result.before().dataFiles(),
          result.after().dataFiles(),
          result.before().deleteFiles(),
          result.after().deleteFiles(),
          result.before().bytes(),
          result.after().bytes(),
          result.snapshotsExpired(),
          result.orphans().files(),
          String.format(Locale.ROOT, "%.1f", result.seconds()));
      result.notices().forEach(notice -> console.err().println("notice: " + notice));
      result.problems().forEach(problem -> ErrorPrinter.print(console, problem));
    }
    if (results.isEmpty()) {
      console.out().println("there is no table yet");
    } else {
      console.out().print(table);
    }
    console.out().flush();
    console.err().flush();
  }

  void json(List<MaintainedTable> results) {
    ObjectNode root = new ObjectMapper().createObjectNode();
    root.put("succeeded", results.stream().allMatch(result -> result.problems().isEmpty()));
    ArrayNode tables = root.putArray("tables");
    for (MaintainedTable result : results) {
      ObjectNode node = tables.addObject();
      node.put("table", result.table());
      size(result.before(), node.putObject("before"));
      size(result.after(), node.putObject("after"));
      node.put("snapshotsExpired", result.snapshotsExpired());
      node.put("orphansRemoved", result.orphans().files());
      node.put("orphanBytesRemoved", result.orphans().bytes());
      node.put("seconds", result.seconds());
      result.notices().forEach(node.putArray("notices")::add);
      ResultPrinter.write(result.problems(), node.putArray("problems"));
    }
    new ResultPrinter(console).print(root);
  }

  private static void size(MaintainedTable.Size size, ObjectNode node) {
    node.put("dataFiles", size.dataFiles());
    node.put("deleteFiles", size.deleteFiles());
    node.put("bytes", size.bytes());
  }
}
