package io.sluice.cli;

import io.sluice.catalog.CatalogConnection;
import io.sluice.errors.ErrorCode;
import io.sluice.errors.SluiceException;
import io.sluice.pipeline.Pipeline;
import io.sluice.run.MaintainedTable;
import io.sluice.run.Maintenance;
import io.sluice.run.MaintenanceOptions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.apache.flink.util.TimeUtils;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code sluice maintain}: fewer files, fewer snapshots, no orphans. */
@Command(
    name = "maintain",
    mixinStandardHelpOptions = true,
    description =
        "Rewrites small files and files with many deleted rows, expires snapshots and removes files"
            + " that nothing needs. Updates and continuous runs may go on meanwhile.")
final class MaintainCommand extends PipelineCommand {

  @Option(
      names = "--table",
      split = ",",
      hideParamSyntax = true,
      paramLabel = "t,..",
      description = "Only these tables, with what stands beside them.")
  private List<String> tables = List.of();

  @Option(
      names = "--older-than",
      paramLabel = "DURATION",
      description =
          "Age from which snapshots expire, for example '6 h' (default: the table property"
              + " history.expire.max-snapshot-age-ms, else 5 days).")
  private String olderThan;

  @Option(
      names = "--orphans-older-than",
      paramLabel = "DURATION",
      description = "Age from which files that nothing needs are removed (default: 3 days).")
  private String orphansOlderThan;

  MaintainCommand(Console console) {
    super(console);
  }

  @Override
  int call(CatalogConnection connection, Pipeline pipeline) {
    MaintenanceOptions options =
        new MaintenanceOptions(
            tables(pipeline, tables),
            Optional.ofNullable(olderThan).map(text -> duration("--older-than", text)),
            orphanAge(),
            parallelism(pipeline.settings()));
    List<MaintainedTable> results = new Maintenance(connection, options).run(pipeline);
    MaintenancePrinter printer = new MaintenancePrinter(console);
    switch (output) {
      case TEXT -> printer.text(results);
      case JSON -> printer.json(results);
    }
    return results.stream().allMatch(result -> result.problems().isEmpty()) ? 0 : 1;
  }

  private Duration orphanAge() {
    Duration age =
        orphansOlderThan == null
            ? MaintenanceOptions.ORPHAN_AGE
            : duration("--orphans-older-than", orphansOlderThan);
    if (age.compareTo(MaintenanceOptions.LEAST_ORPHAN_AGE) < 0) {
      throw new SluiceException(
          ErrorCode.INVALID_CALL,
          "--orphans-older-than cannot be '" + orphansOlderThan + "'",
          "Use one day or more: younger files may belong to a commit on its way");
    }
    return age;
  }

  private static Duration duration(String option, String text) {
    try {
      return TimeUtils.parseDuration(text);
    } catch (IllegalArgumentException e) {
      throw new SluiceException(
          ErrorCode.INVALID_CALL,
          option + " cannot be '" + text + "'",
          "Use a number and a unit, for example '6 h' or '2 d'");
    }
  }
}
