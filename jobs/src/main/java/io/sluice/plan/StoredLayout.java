package io.sluice.plan;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.SluiceException;
import io.sluice.sequencing.OrderedColumn;
import io.sluice.sequencing.TargetLayout;
import io.sluice.table.Companion;
import io.sluice.table.GeneratedColumns;
import io.sluice.table.RowSplit;
import io.sluice.table.TargetTables;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.iceberg.Table;
import org.apache.iceberg.flink.FlinkSchemaUtil;

/** How a CDC target is kept, as the table itself says it; no pipeline is needed. */
public final class StoredLayout {

  private StoredLayout() {}

  /**
   * The layout of a target.
   *
   * @param name how messages call the table
   * @throws SluiceException TABLE_NOT_MANAGED if Sluice did not make the table, INVALID_CALL if it
   *     is not kept by AUTO CDC, INCOMPATIBLE_SCHEMA if a key column is gone
   */
  public static TargetLayout of(String name, Table table) {
    List<String> identity = TargetTables.identity(table);
    RowType all = FlinkSchemaUtil.convert(table.schema());
    String column =
        all.getFieldNames().contains(GeneratedColumns.START_AT)
            ? GeneratedColumns.START_AT
            : GeneratedColumns.SEQUENCE;
    int sequence = all.getFieldNames().indexOf(column);
    if (identity.isEmpty() || sequence < 0) {
      throw new SluiceException(
          ErrorCode.INVALID_CALL,
          "table " + name + " is not kept by AUTO CDC, so it has no keys",
          "Name a table whose flows are AUTO CDC");
    }
    RowType columns =
        new RowType(
            false,
            all.getFields().stream()
                .filter(field -> !GeneratedColumns.contains(field.getName()))
                .toList());
    List<Integer> keys =
        identity.stream()
            .filter(each -> !GeneratedColumns.contains(each))
            .map(columns.getFieldNames()::indexOf)
            .toList();
    if (keys.contains(-1)) {
      throw new SluiceException(
          ErrorCode.INCOMPATIBLE_SCHEMA,
          "table " + name + " has lost one of the columns that identify its rows, " + identity,
          "Give the column its name back, or roll the table back");
    }
    List<Integer> tracked = new ArrayList<>();
    for (int i = 0; i < columns.getFieldCount(); i++) {
      String each = columns.getFieldNames().get(i);
      if (!keys.contains(i) && !TableFacts.untracked(table).contains(each)) {
        tracked.add(i);
      }
    }
    LogicalType type = all.getTypeAt(sequence).copy(true);
    return new TargetLayout(
        name,
        TableFacts.storageType(table),
        columns,
        keys,
        tracked,
        tracked.size() + keys.size() == columns.getFieldCount(),
        OrderedColumn.ofSequence("sequence", type),
        systemSequence(all),
        Boolean.parseBoolean(table.properties().get(TargetTables.PARTIAL_UPDATES)));
  }

  private static OrderedColumn systemSequence(RowType all) {
    int at = all.getFieldNames().indexOf(GeneratedColumns.SYSTEM_START_AT);
    return at < 0
        ? null
        : OrderedColumn.ofSequence("system sequence", all.getTypeAt(at).copy(true));
  }

  /** The parts of a snapshot that hold rows, with the statistics that let a reader skip them. */
  public static List<RowSplit> splits(Table table, long snapshot, TargetLayout layout) {
    return OpenTarget.splitsOf(table, OptionalLong.of(snapshot), layout);
  }

  /** The parts of a companion that hold remembered events. */
  public static List<RowSplit> splits(Companion companion, TargetLayout layout) {
    return OpenTarget.splitsOf(companion, layout);
  }
}
