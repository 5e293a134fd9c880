package io.sluice.sequencing;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.history.SequenceEncoder;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.junit.jupiter.api.Test;

class RowKeyTest {

  private static RowKey number(long value) {
    return new RowKey(new SequenceEncoder().putLong(value).toBytes());
  }

  private static RowKey text(String value) {
    return new RowKey(new SequenceEncoder().putString(value).toBytes());
  }

  @Test
  void numbers_sort_as_they_compare() {
    Random random = new Random(1);
    for (int i = 0; i < 1_000; i++) {
      RowKey left = number(random.nextLong() >>> (18 + random.nextInt(46)));
      RowKey right = number(random.nextLong() >>> (18 + random.nextInt(46)));
      assertThat(Integer.signum(Long.compareUnsigned(left.sortKey(), right.sortKey())))
          .isEqualTo(Integer.signum(left.compareTo(right)));
    }
    assertThat(Long.compareUnsigned(text("ab").sortKey(), text("b").sortKey())).isNegative();
  }

  @Test
  void negative_and_huge_numbers_sort_by_their_beginning() {
    long[] rising = {
      Long.MIN_VALUE, -(1L << 60), -(1L << 52), -1, 0, (1L << 46) - 1, 1L << 46, 1L << 52, 1L << 62
    };
    for (int i = 1; i < rising.length; i++) {
      if (rising[i - 1] >>> 51 != rising[i] >>> 51) {
        assertThat(
                Long.compareUnsigned(number(rising[i - 1]).sortKey(), number(rising[i]).sortKey()))
            .as(rising[i - 1] + " before " + rising[i])
            .isNegative();
      }
    }
    Set<Long> sortKeys = new HashSet<>();
    for (long i = 0; i < 100_000; i++) {
      sortKeys.add(number((1L << 60) + i).sortKey());
      sortKeys.add(number(-1 - i).sortKey());
    }
    assertThat(sortKeys).hasSizeGreaterThan(199_980);
  }

  @Test
  void long_keys_sort_by_their_beginning_and_hardly_ever_share_a_sort_key() {
    assertThat(Long.compareUnsigned(text("ab-123456").sortKey(), text("ac-123456").sortKey()))
        .isNegative();
    Set<Long> sortKeys = new HashSet<>();
    for (int i = 0; i < 100_000; i++) {
      sortKeys.add(text("customer number " + i).sortKey());
    }
    assertThat(sortKeys).hasSizeGreaterThan(99_990);
  }

  @Test
  void the_six_bytes_of_a_sort_key_are_all_of_it() throws Exception {
    DataOutputSerializer written = new DataOutputSerializer(8);
    for (RowKey key : List.of(number(7), number(-7), number(1L << 50), text("somebody else"))) {
      written.clear();
      SortKeySerializer.INSTANCE.serialize(key.sortKey(), written);
      byte[] bytes = written.getCopyOfBuffer();
      assertThat(bytes).hasSize(SortKeySerializer.INSTANCE.getLength());
      assertThat(SortKeySerializer.INSTANCE.deserialize(new DataInputDeserializer(bytes)))
          .isEqualTo(key.sortKey());
    }
  }
}
