package io.sluice.pipeline;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.Problem;
import io.sluice.sql.CreateStreamingTable;
import io.sluice.sql.Names;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** The TBLPROPERTIES that mean something to Sluice; all others go to the Iceberg table. */
final class TableProperties {

  private static final String RESET_ALLOWED = "pipelines.reset.allowed";

  private static final String ADOPT = "sluice.adopt";

  private static final Set<String> KNOWN =
      Set.of(
          RESET_ALLOWED, ADOPT, Settings.TOMBSTONE_RETENTION, TombstoneRetention.SECONDS_PROPERTY);

  private static final Set<String> VERSIONS = Set.of("2", "3");

  private static final Set<String> FORMATS = Set.of("parquet", "avro", "orc");

  /** Names of Iceberg's properties that say themselves that they are numbers. */
  private static final Pattern NUMBER =
      Pattern.compile("(read|write|commit|history)\\..*(-bytes|-ms|-max|-limit|-retries|-keep)");

  private TableProperties() {}

  /** Properties of ours that do not exist, are for a later version, or have a wrong value. */
  static List<Problem> check(CreateStreamingTable table) {
    List<Problem> problems = new ArrayList<>();
    table
        .parts()
        .properties()
        .forEach((key, value) -> check(table, key, value).ifPresent(problems::add));
    return problems;
  }

  private static Optional<Problem> check(CreateStreamingTable table, String key, String value) {
    String lower = key.toLowerCase(Locale.ROOT);
    if (lower.equals(RESET_ALLOWED) || lower.equals(ADOPT)) {
      return value.equalsIgnoreCase("true") || value.equalsIgnoreCase("false")
          ? Optional.empty()
          : problem(
              table,
              ErrorCode.INVALID_OPTION,
              "the table property " + key + " cannot be '" + value + "'",
              "Use true or false");
    }
    if (lower.equals(Settings.TOMBSTONE_RETENTION)) {
      return TombstoneRetention.parse(value).isPresent()
          ? Optional.empty()
          : invalid(table, key, value, "Write '2 days', '36 hours' or the like, or '0'");
    }
    if (lower.equalsIgnoreCase(TombstoneRetention.SECONDS_PROPERTY)) {
      return TombstoneRetention.parseSeconds(value).isPresent()
          ? Optional.empty()
          : invalid(table, key, value, "Write a whole number of seconds, or 0");
    }
    if (lower.startsWith("sluice.") || lower.startsWith("pipelines.")) {
      return problem(
          table,
          ErrorCode.UNKNOWN_OPTION,
          "there is no table property " + key,
          Names.nearest(key, KNOWN)
              .map(name -> "Did you mean " + name + "?")
              .orElse("Properties that do not begin with sluice or pipelines go to Iceberg"));
    }
    return iceberg(table, lower, value);
  }

  /** What Iceberg would stumble over only when data is written, or what Sluice cannot write. */
  private static Optional<Problem> iceberg(CreateStreamingTable table, String key, String value) {
    if (key.equals("format-version") && !VERSIONS.contains(value)) {
      return invalid(table, key, value, "Use 3, the default, or 2");
    }
    if (key.equals("write.format.default") && !FORMATS.contains(value.toLowerCase(Locale.ROOT))) {
      return invalid(table, key, value, "Use parquet, the default, or avro or orc");
    }
    if (NUMBER.matcher(key).matches() && !value.matches("-?[0-9]{1,18}")) {
      return invalid(table, key, value, "Write a whole number");
    }
    return Optional.empty();
  }

  private static Optional<Problem> invalid(
      CreateStreamingTable table, String key, String value, String remedy) {
    return problem(
        table,
        ErrorCode.INVALID_OPTION,
        "the table property " + key + " cannot be '" + value + "'",
        remedy);
  }

  private static Optional<Problem> problem(
      CreateStreamingTable table, ErrorCode code, String message, String remedy) {
    return Optional.of(
        Problem.at(table.nameAt(), code, "table " + table.name() + ": " + message, remedy));
  }
}
