package io.sluice.pipeline;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.Problem;
import io.sluice.errors.SourceLocation;
import io.sluice.sql.Identifier;
import io.sluice.sql.Names;
import io.sluice.sql.QualifiedName;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** The rules of a pipeline that need no data and no schema (semantics section 19). */
final class PipelineChecks {

  /** A file system's 255 bytes, with room for what is hung on. */
  private static final int MAX_NAME_BYTES = 200;

  /** How the names end of what lies beside a table: companion, quarantine, rehearsal. */
  private static final List<String> HELPERS = List.of("__log", "__quarantine", "__new");

  private final Pipeline pipeline;
  private final List<Problem> problems = new ArrayList<>();

  private final List<QualifiedName> plainTables;
  private final List<QualifiedName> connectorTables;

  private PipelineChecks(
      Pipeline pipeline, List<QualifiedName> plainTables, List<QualifiedName> connectorTables) {
    this.pipeline = pipeline;
    this.plainTables = plainTables;
    this.connectorTables = connectorTables;
  }

  /**
   * All problems of a pipeline.
   *
   * @param plainTables names of CREATE TABLE in our own form
   * @param connectorTables names of CREATE TABLE in Flink's form
   */
  static List<Problem> check(
      Pipeline pipeline, List<QualifiedName> plainTables, List<QualifiedName> connectorTables) {
    PipelineChecks checks = new PipelineChecks(pipeline, plainTables, connectorTables);
    checks.names();
    pipeline.flows().forEach(checks::target);
    pipeline.tables().forEach(checks::flowsOf);
    ExpectationChecks.check(pipeline, checks.problems);
    List<Problem> cycles = Graph.of(pipeline).cycles();
    checks.problems.addAll(cycles.isEmpty() ? ResetChecks.check(pipeline) : cycles);
    return checks.problems;
  }

  private void names() {
    Map<QualifiedName, SourceLocation> datasets = new LinkedHashMap<>();
    Stream.concat(
            pipeline.tables().stream().map(table -> Map.entry(table.name(), table.at())),
            pipeline.views().stream().map(view -> Map.entry(view.name(), view.at())))
        .forEach(entry -> unique("table or view", entry.getKey(), entry.getValue(), datasets));
    Map<QualifiedName, SourceLocation> flows = new LinkedHashMap<>();
    pipeline
        .flows()
        .forEach(flow -> unique("flow", QualifiedName.of(flow.name()), flow.at(), flows));
    pipeline.tables().forEach(this::nameOf);
  }

  /** Tables lie in folders of their names, their companions beside them. */
  private void nameOf(TargetTable table) {
    if (table.name().parts().size() > 2) {
      problem(
          table.at(),
          ErrorCode.INVALID_NAME,
          "table "
              + table.name()
              + " would lie in another catalog than that of the configuration, or below a second"
              + " namespace",
          "Write the table's name as namespace.table, behind the name of the catalog or without it");
    }
    for (String suffix : HELPERS) {
      if (table.name().last().toLowerCase(Locale.ROOT).endsWith(suffix)) {
        problem(
            table.at(),
            ErrorCode.INVALID_NAME,
            "the name of table "
                + table.name()
                + " belongs to what Sluice keeps beside a table: names end in "
                + suffix
                + " there",
            "Give the table another name");
      }
    }
    for (String part : table.name().parts()) {
      boolean usable =
          !part.isBlank()
              && !part.equals(".")
              && !part.equals("..")
              && part.getBytes(StandardCharsets.UTF_8).length <= MAX_NAME_BYTES
              && part.chars().noneMatch(c -> c == '/' || c == '\\' || Character.isISOControl(c));
      if (!usable) {
        problem(
            table.at(),
            ErrorCode.INVALID_NAME,
            "no table can have the name '" + part.replaceAll("\\p{Cntrl}", "?") + "'",
            "Use 1 to "
                + MAX_NAME_BYTES
                + " bytes without slashes, backslashes and control characters");
      }
    }
  }

  private void unique(
      String what, QualifiedName name, SourceLocation at, Map<QualifiedName, SourceLocation> seen) {
    SourceLocation first = seen.putIfAbsent(name, at);
    if (first != null) {
      problem(
          at,
          ErrorCode.DUPLICATE_NAME,
          "there is another " + what + " '" + name.last() + "' at " + first,
          "Give one of them another name");
    }
  }

  private void target(Flow flow) {
    if (pipeline.table(flow.target()).isPresent()) {
      return;
    }
    if (pipeline.view(flow.target()).isPresent()) {
      problem(
          flow.at(),
          ErrorCode.TARGET_NOT_FOUND,
          "flow '" + flow.name() + "' writes into '" + flow.target() + "', which is a view",
          "Declare it with CREATE STREAMING TABLE");
      return;
    }
    if (flow.cdc().isPresent() && plainTables.contains(flow.target())) {
      problem(
          flow.at(),
          ErrorCode.MANAGED_TABLE_DOES_NOT_SUPPORT_CDC,
          "flow '" + flow.name() + "' keeps '" + flow.target() + "', a table of CREATE TABLE",
          "Declare it with CREATE STREAMING TABLE");
      return;
    }
    if (flow.cdc().isPresent() && connectorTables.contains(flow.target())) {
      problem(
          flow.at(),
          ErrorCode.AUTOCDC_TARGET_DOES_NOT_SUPPORT_MERGE,
          "flow '"
              + flow.name()
              + "' keeps '"
              + flow.target()
              + "', a connector table whose rows cannot be deleted",
          "Keep a table of CREATE STREAMING TABLE");
      return;
    }
    Optional<String> nearest =
        Names.nearest(
            flow.target().last(),
            pipeline.tables().stream().map(table -> table.name().last()).toList());
    problem(
        flow.at(),
        ErrorCode.TARGET_NOT_FOUND,
        "flow '" + flow.name() + "' writes into '" + flow.target() + "', which is not declared",
        nearest.map(name -> "Did you mean '" + name + "'? ").orElse("")
            + "Declare the table with CREATE STREAMING TABLE "
            + flow.target().last());
  }

  private void flowsOf(TargetTable table) {
    List<Flow> flows = pipeline.flowsInto(table);
    List<Flow> feeds =
        flows.stream().filter(f -> f.cdc().isPresent() && f.snapshot().isEmpty()).toList();
    List<Flow> snapshots = flows.stream().filter(f -> f.snapshot().isPresent()).toList();
    Optional<Flow> keeper = Stream.concat(feeds.stream(), snapshots.stream()).findFirst();
    if (keeper.isEmpty()) {
      return;
    }
    for (Flow flow : flows) {
      if (flow.cdc().isEmpty()) {
        problem(
            flow.at(),
            ErrorCode.AUTOCDC_APPEND_INTO_CDC_TARGET,
            "flow '"
                + flow.name()
                + "' appends to "
                + table.name()
                + ", which is kept by AUTO CDC ('"
                + keeper.get().name()
                + "')",
            flow.once()
                ? "Replay the rows with AUTO CDC ONCE INTO " + table.name().last()
                : "Write the flow as AUTO CDC, or append to a table of its own");
      } else {
        uniqueKeys(flow, flow.cdc().get());
      }
    }
    feeds.forEach(flow -> agree(table, feeds.get(0), flow));
    SnapshotChecks.check(
        table, snapshots, feeds, pipeline.unavailableValue().isPresent(), problems);
  }

  private void agree(TargetTable table, Flow first, Flow flow) {
    CdcDefinition one = first.cdc().get();
    CdcDefinition other = flow.cdc().get();
    List<String> keys = one.keys().stream().map(Identifier::text).toList();
    List<String> otherKeys = other.keys().stream().map(Identifier::text).toList();
    if (!keys.equals(otherKeys)) {
      disagree(table, first, flow, "keys " + keys, "keys " + otherKeys);
    }
    if (one.type() != other.type()) {
      disagree(table, first, flow, first.kind(), flow.kind());
    }
  }

  private void uniqueKeys(Flow flow, CdcDefinition definition) {
    Set<String> seen = new HashSet<>();
    for (Identifier key : definition.keys()) {
      if (!seen.add(key.text().toLowerCase(Locale.ROOT))) {
        problem(
            key.at(),
            ErrorCode.DUPLICATE_NAME,
            "flow '" + flow.name() + "' names the key column '" + key.text() + "' twice",
            "Name each key column once");
      }
    }
  }

  private void disagree(TargetTable table, Flow first, Flow flow, String firstHas, String flowHas) {
    problem(
        flow.at(),
        ErrorCode.AUTOCDC_FLOWS_DISAGREE,
        "the flows of "
            + table.name()
            + " disagree: '"
            + first.name()
            + "' has "
            + firstHas
            + ", '"
            + flow.name()
            + "' has "
            + flowHas,
        "All AUTO CDC flows of a table need the same keys, SCD type and sequence type");
  }

  private void problem(SourceLocation at, ErrorCode code, String message, String remedy) {
    problems.add(Problem.at(at, code, message, remedy));
  }
}
