package io.sluice.sequencing;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.history.SequenceEncoder;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class KeySetTest {

  private static RowKey key(int value) {
    return new RowKey(new SequenceEncoder().putInt(value).toBytes());
  }

  private static byte[] sequence(long value) {
    return new SequenceEncoder().putLong(value).toBytes();
  }

  private static KeySet of(int from, int to) {
    KeySet keys = new KeySet();
    IntStream.range(from, to).forEach(i -> keys.add(key(i), sequence(1000 - i)));
    return keys;
  }

  @Test
  void an_empty_set_contains_nothing() {
    KeySet keys = new KeySet();
    assertThat(keys.isEmpty()).isTrue();
    assertThat(keys.mayContain(key(1))).isFalse();
    assertThat(keys.few()).isEmpty();
  }

  @Test
  void every_added_key_is_found_and_hardly_any_other() {
    KeySet keys = of(0, 10_000);
    assertThat(keys.size()).isEqualTo(10_000);
    assertThat(IntStream.range(0, 10_000).allMatch(i -> keys.mayContain(key(i)))).isTrue();
    assertThat(IntStream.range(10_000, 20_000).filter(i -> keys.mayContain(key(i))).count())
        .isZero();
  }

  @Test
  void bounds_are_those_of_all_keys_and_of_the_least_sequence() {
    KeySet keys = of(5, 500);
    keys.add(key(7), sequence(-3));
    assertThat(keys.least()).isEqualTo(key(5).bytes());
    assertThat(keys.greatest()).isEqualTo(key(499).bytes());
    assertThat(keys.leastSequence()).isEqualTo(sequence(-3));
  }

  @Test
  void a_few_keys_are_kept_whole_many_are_not() {
    assertThat(of(0, 256).few()).hasSize(256).startsWith(key(0)).endsWith(key(255));
    assertThat(of(0, 257).few()).isEmpty();
  }

  @Test
  void parts_add_up_to_the_whole() {
    KeySet all = of(0, 100);
    all.addAll(of(50, 150));
    all.addAll(new KeySet());
    assertThat(all.size()).isEqualTo(150);
    assertThat(all.few()).hasSize(150);
    assertThat(all.leastSequence()).isEqualTo(sequence(1000 - 149));
    all.addAll(of(150, 300));
    assertThat(all.few()).isEmpty();
    assertThat(all.greatest()).isEqualTo(key(299).bytes());
    KeySet into = new KeySet();
    into.addAll(all);
    assertThat(IntStream.range(0, 300).allMatch(i -> into.mayContain(key(i)))).isTrue();
  }

  @Test
  void too_many_keys_make_it_contain_everything() {
    KeySet keys = new KeySet(1_000);
    IntStream.range(0, 1_001).forEach(i -> keys.add(key(i), sequence(i)));
    assertThat(keys.size()).isEqualTo(Integer.MAX_VALUE);
    assertThat(keys.mayContain(key(123_456))).isTrue();
    assertThat(keys.least()).isNull();
    assertThat(keys.few()).isEmpty();
    keys.add(key(-1), sequence(-9));
    assertThat(keys.leastSequence()).isEqualTo(sequence(-9));
  }
}
