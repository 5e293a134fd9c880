package io.sluice.table;

import java.io.Serializable;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.Table;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.TypeUtil;
import org.apache.iceberg.types.Types.NestedField;

/**
 * Which data files an update empties while it reads them anyway: those of which few rows are alive.
 * Their survivors move to new files, and the old files leave the table, so that the cost of reading
 * back depends on the rows that live and not on the number of updates that made them. The rows that
 * move are at most as many as the update writes, or a small number where it writes fewer.
 */
public final class Tidying implements Serializable {

  private static final long serialVersionUID = 1L;

  /** Share of live rows from which on a file stays as it is. */
  private static final double MOST_ALIVE = 0.4;

  /** So many rows may move in any update, however small. */
  private static final long LEAST_BUDGET_ROWS = 10_000;

  /** Nothing moves. */
  public static final Tidying NONE = new Tidying(null, AddedColumns.NONE);

  private final FileFormat format;
  private final long keptUpTo;

  private Tidying(FileFormat format, long keptUpTo) {
    this.format = format;
    this.keptUpTo = keptUpTo;
  }

  /**
   * The tidying of a table whose rows are known by some of its columns: none if the table has more,
   * or if Flink cannot hold its values exactly (times of the day have microseconds in Iceberg), so
   * that rows come out as they went in.
   *
   * @param columns names of the columns that are read and written
   * @param keptUpTo files up to this data sequence number stay as they are
   */
  public static Tidying of(Table table, List<String> columns, long keptUpTo) {
    Set<String> known = new HashSet<>(columns);
    boolean whole =
        table.schema().columns().stream().map(NestedField::name).allMatch(known::contains);
    boolean exact =
        TypeUtil.indexById(table.schema().asStruct()).values().stream()
            .noneMatch(field -> field.type().typeId() == Type.TypeID.TIME);
    return whole && exact ? new Tidying(WrittenFormat.of(table), keptUpTo) : NONE;
  }

  /**
   * The locations of the files to empty, those with the fewest live rows first.
   *
   * @param read all parts of the files that the update reads, whatever becomes of them
   * @param rowsOfUpdate about how many rows the update writes
   */
  public Set<String> choose(List<RowSplit> read, long rowsOfUpdate) {
    if (format == null) {
      return Set.of();
    }
    Map<String, RowSplit> files = new LinkedHashMap<>();
    read.forEach(split -> files.putIfAbsent(split.file().location(), split));
    List<RowSplit> fewest =
        files.values().stream()
            .filter(this::isWorthwhile)
            .sorted(Comparator.comparingLong(split -> split.liveRowsOfFile().orElseThrow()))
            .toList();
    long budget = Math.max(rowsOfUpdate, LEAST_BUDGET_ROWS);
    Set<String> chosen = new HashSet<>();
    for (RowSplit split : fewest) {
      budget -= split.liveRowsOfFile().orElseThrow();
      if (budget < 0) {
        break;
      }
      chosen.add(split.file().location());
    }
    return chosen;
  }

  private boolean isWorthwhile(RowSplit split) {
    OptionalLong live = split.liveRowsOfFile();
    return live.isPresent()
        && split.dataSequenceNumber() > keptUpTo
        && live.getAsLong() < MOST_ALIVE * split.file().recordCount()
        && split.file().format() == format;
  }
}
