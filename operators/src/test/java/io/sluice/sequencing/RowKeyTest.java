package io.sluice.sequencing;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.history.SequenceEncoder;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RowKeyTest {

  private static RowKey number(long value) {
    return new RowKey(new SequenceEncoder().putLong(value).toBytes());
  }

  private static RowKey text(String value) {
    return new RowKey(new SequenceEncoder().putString(value).toBytes());
  }

  @Test
  void short_keys_sort_as_they_compare() {
    Random random = new Random(1);
    for (int i = 0; i < 1_000; i++) {
      RowKey left = number(random.nextLong() >> random.nextInt(64));
      RowKey right = number(random.nextLong() >> random.nextInt(64));
      assertThat(Integer.signum(Long.compareUnsigned(left.sortKey(), right.sortKey())))
          .isEqualTo(Integer.signum(left.compareTo(right)));
    }
    assertThat(Long.compareUnsigned(text("ab").sortKey(), text("b").sortKey())).isNegative();
  }

  @Test
  void long_keys_sort_by_their_beginning_and_hardly_ever_share_a_sort_key() {
    assertThat(Long.compareUnsigned(text("abc-123456").sortKey(), text("abd-1").sortKey()))
        .isNegative();
    Set<Long> sortKeys = new HashSet<>();
    for (int i = 0; i < 100_000; i++) {
      sortKeys.add(text("customer number " + i).sortKey());
    }
    assertThat(sortKeys).hasSizeGreaterThan(99_990);
  }
}
