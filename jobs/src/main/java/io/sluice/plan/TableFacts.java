package io.sluice.plan;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.Problem;
import io.sluice.errors.SluiceException;
import io.sluice.history.StorageType;
import io.sluice.pipeline.TargetTable;
import io.sluice.sequencing.OrderedColumn;
import io.sluice.sequencing.TargetLayout;
import io.sluice.table.TargetTables;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.TableUtil;
import org.apache.iceberg.flink.FlinkSchemaUtil;

/**
 * What a table remembers of its definition in its properties, and which changes of a definition it
 * refuses (semantics section 19, V16).
 */
final class TableFacts {

  private static final String SCD_TYPE = "sluice.scd-type";
  private static final String UNTRACKED = "sluice.untracked-columns";

  private static final Pattern NAME = Pattern.compile("(?:[^,\\\\]|\\\\.)+", Pattern.DOTALL);

  private TableFacts() {}

  /** The columns that identify a row (design: row identity). */
  static List<String> identity(TargetLayout layout) {
    List<String> identity =
        new ArrayList<>(
            layout.keys().stream().map(at -> layout.columns().getFieldNames().get(at)).toList());
    identity.addAll(layout.identifyingColumns());
    return identity;
  }

  /** The properties of a new or evolved table. */
  static Map<String, String> properties(String pipeline, ResolvedTarget target) {
    Map<String, String> properties = new LinkedHashMap<>();
    properties.put(TargetState.PIPELINE, pipeline);
    target
        .layout()
        .ifPresent(
            layout -> {
              properties.put(SCD_TYPE, scdType(layout));
              properties.put(UNTRACKED, joined(untracked(layout)));
              if (layout.partial()) {
                properties.put(TargetTables.PARTIAL_UPDATES, "true");
              }
            });
    return properties;
  }

  private static String scdType(TargetLayout layout) {
    return scdType(layout.type());
  }

  private static String scdType(StorageType type) {
    return switch (type) {
      case SCD1 -> "1";
      case SCD2 -> "2";
      case BITEMPORAL -> "bitemporal";
    };
  }

  /** How a CDC target is stored. */
  static StorageType storageType(Table existing) {
    for (StorageType type : StorageType.values()) {
      if (scdType(type).equals(existing.properties().get(SCD_TYPE))) {
        return type;
      }
    }
    throw new SluiceException(
        ErrorCode.TABLE_NOT_MANAGED,
        "the property "
            + SCD_TYPE
            + " of table "
            + existing.name()
            + " cannot be '"
            + existing.properties().get(SCD_TYPE)
            + "'",
        "Restore the property");
  }

  /** The columns of a target that open no new version. */
  static Set<String> untracked(Table existing) {
    Set<String> names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
    Matcher name = NAME.matcher(existing.properties().getOrDefault(UNTRACKED, ""));
    while (name.find()) {
      names.add(name.group().replaceAll("\\\\(.)", "$1"));
    }
    return names;
  }

  /** Names behind commas; a comma or backslash in a name stands behind a backslash. */
  private static String joined(Set<String> names) {
    return names.stream()
        .map(name -> name.replaceAll("[,\\\\]", "\\\\$0"))
        .collect(Collectors.joining(","));
  }

  private static String storage(String scdType) {
    return scdType.equals("bitemporal") ? scdType : "SCD type " + scdType;
  }

  private static Set<String> untracked(TargetLayout layout) {
    Set<String> names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
    if (layout.type() != StorageType.SCD1) {
      for (int i = 0; i < layout.columns().getFieldCount(); i++) {
        if (!layout.keys().contains(i) && !layout.tracked().contains(i)) {
          names.add(layout.columns().getFieldNames().get(i));
        }
      }
    }
    return names;
  }

  /** A table can go to a newer format version and never back. */
  static Optional<Problem> loweredVersion(TargetTable declared, Table existing) {
    String wanted = declared.properties().get(TableProperties.FORMAT_VERSION);
    int version = TableUtil.formatVersion(existing);
    if (wanted == null || Integer.parseInt(wanted) >= version) {
      return Optional.empty();
    }
    return Optional.of(
        Problem.at(
            declared.at(),
            ErrorCode.INCOMPATIBLE_SCHEMA,
            "table "
                + declared.name()
                + " has format version "
                + version
                + " and cannot go back to "
                + wanted,
            "Leave out the table property format-version, or drop the table"));
  }

  /** The changes of a definition that need a full refresh. */
  static List<Problem> drift(TargetTable declared, TargetLayout layout, Table existing) {
    List<Problem> problems = new ArrayList<>();
    String before = existing.properties().get(SCD_TYPE);
    if (before == null) {
      problems.add(
          refuse(
              declared,
              ErrorCode.AUTOCDC_SCD_TYPE_DRIFT,
              "was filled by append flows, its flows are AUTO CDC now"));
      return problems;
    }
    if (!before.equals(scdType(layout))) {
      problems.add(
          refuse(
              declared,
              ErrorCode.AUTOCDC_SCD_TYPE_DRIFT,
              "is " + storage(before) + ", its flows are " + storage(scdType(layout))));
      return problems;
    }
    List<String> identity = TargetTables.identity(existing);
    if (!identity.equals(identity(layout))) {
      problems.add(
          refuse(
              declared,
              ErrorCode.AUTOCDC_KEY_SCHEMA_DRIFT,
              "is identified by " + identity + ", its flows give " + identity(layout)));
      return problems;
    }
    Optional<Problem> lost = lostColumn(declared, layout, existing);
    if (lost.isPresent()) {
      problems.add(lost.get());
      return problems;
    }
    for (OrderedColumn key : layout.keyColumns()) {
      LogicalType stored =
          FlinkSchemaUtil.convert(existing.schema().findType(key.name())).copy(true);
      if (!stored.equals(key.type().copy(true))) {
        problems.add(
            refuse(
                declared,
                ErrorCode.AUTOCDC_KEY_SCHEMA_DRIFT,
                "has the key column '"
                    + key.name()
                    + "' as "
                    + Sql.describe(stored)
                    + ", its flows give "
                    + Sql.describe(key.type())));
      }
    }
    driftOfTracking(declared, layout, existing, problems);
    return problems;
  }

  /** Without its keys or bounds a row says nothing; a new column of the name would be all NULL. */
  private static Optional<Problem> lostColumn(
      TargetTable declared, TargetLayout layout, Table existing) {
    return Stream.concat(
            layout.keyColumns().stream().map(OrderedColumn::name),
            layout.generatedColumns().stream())
        .filter(name -> existing.schema().findField(name) == null)
        .findFirst()
        .map(
            name ->
                Problem.at(
                    declared.at(),
                    ErrorCode.INCOMPATIBLE_SCHEMA,
                    "table "
                        + declared.name()
                        + " has lost its column '"
                        + name
                        + "': somebody renamed or dropped it",
                    "Give the column its name back, roll the table back, or run with --full-refresh "
                        + declared.name().last()));
  }

  /** The same for a target whose flows append. */
  static List<Problem> driftToAppend(TargetTable declared, Table existing) {
    String before = existing.properties().get(SCD_TYPE);
    return before == null
        ? List.of()
        : List.of(
            refuse(
                declared,
                ErrorCode.AUTOCDC_SCD_TYPE_DRIFT,
                "is " + storage(before) + " kept by AUTO CDC, its flows append now"));
  }

  private static void driftOfTracking(
      TargetTable declared, TargetLayout layout, Table existing, List<Problem> problems) {
    Set<String> before = untracked(existing);
    Set<String> now = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
    now.addAll(
        untracked(layout).stream()
            .filter(name -> existing.schema().caseInsensitiveFindField(name) != null)
            .collect(Collectors.toSet()));
    if (!before.equals(now)) {
      problems.add(
          refuse(
              declared,
              ErrorCode.AUTOCDC_TRACK_HISTORY_DRIFT,
              "does not track " + before + ", its flows do not track " + now));
    }
  }

  private static Problem refuse(TargetTable declared, ErrorCode code, String what) {
    return Problem.at(
        declared.at(),
        code,
        "table " + declared.name() + " " + what,
        "Undo the change, or run with --full-refresh " + declared.name().last());
  }
}
