package io.sluice.table;

import static io.sluice.table.TestRows.commit;
import static io.sluice.table.TestRows.committer;
import static io.sluice.table.TestRows.deleteRequest;
import static io.sluice.table.TestRows.locations;
import static io.sluice.table.TestRows.writeIds;

import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.iceberg.Table;

/** Tables with many small files, and rewriting them. */
final class Rewrites {

  private Rewrites() {}

  static FileRewrite rewriter() {
    return new FileRewrite(attempt -> {});
  }

  static List<RewrittenGroup> read(Table table) {
    table.refresh();
    return FileRewrite.write(table, RewritePlan.of(table, table.currentSnapshot().snapshotId()), 1);
  }

  /** Files of ten rows each; ids from the number of rows on. */
  static void fill(Table table, int files) {
    int from = table.currentSnapshot() == null ? 0 : 1000;
    IntStream.range(0, files)
        .forEach(
            i ->
                commit(
                    table,
                    writeIds(table, from + 10 * i, from + 10 * i + 10),
                    "fill" + from + "-" + i));
  }

  static void delete(Table table, String commit, Long... ids) {
    TreeMap<Object, RowLocation> live = locations(table, "id");
    RowLocation[] places = Arrays.stream(ids).map(live::get).toArray(RowLocation[]::new);
    committer().commit(table, deleteRequest(table, commit, places));
  }
}
