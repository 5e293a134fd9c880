package io.sluice.sequencing;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.history.SequenceEncoder;
import io.sluice.table.RowSplit;
import io.sluice.table.Tidying;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.PartitionSpec;
import org.junit.jupiter.api.Test;

class ReadPlannerTest {

  private static final Predicate<RowSplit> ALL = split -> true;

  private static RowSplit split(String file, long rows) {
    return new RowSplit(
        DataFiles.builder(PartitionSpec.unpartitioned())
            .withPath(file)
            .withFormat(FileFormat.PARQUET)
            .withFileSizeInBytes(rows)
            .withRecordCount(rows)
            .build(),
        List.of(),
        0,
        rows,
        1);
  }

  private static KeySet keys() {
    KeySet keys = new KeySet();
    keys.add(
        new RowKey(new SequenceEncoder().putInt(1).toBytes()),
        new SequenceEncoder().putLong(1).toBytes());
    return keys;
  }

  private static List<ReadOrder> orders(
      int readers, List<RowSplit> splits, Predicate<RowSplit> mayMatch) {
    return new ReadPlanner(Tidying.NONE, readers).orders(splits, mayMatch, keys());
  }

  private static Map<Integer, Long> rows(List<ReadOrder> orders) {
    return orders.stream()
        .filter(ReadOrder.Read.class::isInstance)
        .map(ReadOrder.Read.class::cast)
        .collect(
            Collectors.groupingBy(
                ReadOrder.Read::reader,
                Collectors.summingLong(read -> read.split().estimatedRows())));
  }

  @Test
  void parts_without_rows_of_the_keys_cost_nothing_and_the_others_are_shared_out() {
    List<RowSplit> alternating = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      alternating.add(split("open-" + i, 1_000));
      alternating.add(split("closed-" + i, 9_000));
    }
    List<ReadOrder> orders =
        orders(2, alternating, split -> split.file().location().startsWith("open"));
    assertThat(rows(orders)).isEqualTo(Map.of(0, 4_000L, 1, 4_000L));
  }

  @Test
  void no_reader_gets_more_than_its_share_and_one_part() {
    List<RowSplit> splits =
        IntStream.rangeClosed(1, 40).mapToObj(i -> split("f" + i, i * 37L % 41 * 100)).toList();
    long all = splits.stream().mapToLong(RowSplit::estimatedRows).sum();
    for (int readers = 1; readers <= 7; readers++) {
      List<ReadOrder> orders = orders(readers, splits, ALL);
      assertThat(rows(orders).values()).allMatch(rows -> rows <= all / rows(orders).size() + 2_000);
      assertThat(rows(orders).values().stream().mapToLong(Long::longValue).sum()).isEqualTo(all);
      assertThat(rows(orders)).hasSize(readers);
    }
  }

  @Test
  void every_reader_gets_the_keys_before_anything_else() {
    List<ReadOrder> orders = orders(3, List.of(split("f", 10)), ALL);
    for (int reader = 0; reader < 3; reader++) {
      assertThat(orders.get(reader)).isInstanceOf(ReadOrder.Keys.class);
      assertThat(orders.get(reader).reader()).isEqualTo(reader);
    }
    assertThat(orders).hasSize(4);
  }

  @Test
  void without_keys_or_without_files_nothing_is_read() {
    assertThat(new ReadPlanner(Tidying.NONE, 2).orders(List.of(split("f", 1)), ALL, new KeySet()))
        .isEmpty();
    assertThat(orders(2, List.of(split("f", 10)), split -> false)).isEmpty();
  }
}
