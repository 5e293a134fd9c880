package io.sluice.sequencing;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.sequencing.KeyedRecord.NewEvent;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.flink.streaming.runtime.tasks.TestProcessingTimeService;
import org.junit.jupiter.api.Test;

class ReorderWindowTest {

  private final RecordCodec codec = new RecordCodec(0);
  private final TestProcessingTimeService time = new TestProcessingTimeService();
  private final Map<RowKey, List<Long>> applied = new LinkedHashMap<>();
  private final ReorderWindow window =
      new ReorderWindow(
          10,
          time,
          (key, events) -> {
            List<Long> offsets =
                events.stream().map(event -> codec.unpackEvent(key, event).offset()).toList();
            assertThat(applied.put(key, offsets)).as("events of %s twice", key).isNull();
          });

  private static RowKey key(long number) {
    return new RowKey(ByteBuffer.allocate(Long.BYTES).putLong(number).array());
  }

  private PackedRecord event(RowKey key, long offset) {
    return codec.pack(new NewEvent(key, new byte[] {1}, null, 0, 0, offset));
  }

  @Test
  void each_key_gets_all_its_events_once_in_the_order_in_which_they_came() throws Exception {
    Random random = new Random(5);
    Map<RowKey, List<Long>> expected = new HashMap<>();
    for (long offset = 0; offset < 5_000; offset++) {
      RowKey key = key(random.nextInt(1_000));
      expected.computeIfAbsent(key, each -> new ArrayList<>()).add(offset);
      window.add(event(key, offset));
    }
    assertThat(window.bytes()).isGreaterThan(5_000 * 10);
    window.end();
    assertThat(applied).isEqualTo(expected);
    assertThat(window.bytes()).isZero();
  }

  @Test
  void keys_with_the_same_hash_are_told_apart() throws Exception {
    Map<Integer, RowKey> byHash = new HashMap<>();
    RowKey first = null;
    RowKey second = null;
    for (long number = 0; first == null; number++) {
      second = key(number);
      first = byHash.put(event(second, 0).keyHash(), second);
    }
    window.add(event(first, 1));
    window.add(event(second, 2));
    window.add(event(first, 3));
    window.add(event(second, 4));
    window.end();
    assertThat(applied)
        .containsOnly(Map.entry(first, List.of(1L, 3L)), Map.entry(second, List.of(2L, 4L)));
  }

  @Test
  void events_of_any_size_wait_again_and_again() throws Exception {
    for (int round = 0; round < 3; round++) {
      applied.clear();
      for (int number = 0; number < 20; number++) {
        int length = number % 7 == 3 ? 2 * WaitingEvents.CHUNK_BYTES : 40_000;
        String place = "x".repeat(length);
        window.add(
            codec.pack(
                new NewEvent(key(number), new byte[] {1}, null, null, 0, -1, number, place)));
      }
      assertThat(window.bytes()).isGreaterThan(6L * WaitingEvents.CHUNK_BYTES);
      window.end();
      assertThat(applied).hasSize(20);
      applied.forEach((key, offsets) -> assertThat(key(offsets.get(0))).isEqualTo(key));
      assertThat(window.bytes()).isZero();
    }
  }

  @Test
  void nothing_happens_where_nothing_waits() throws Exception {
    window.end();
    time.advance(100);
    assertThat(applied).isEmpty();
    window.add(event(key(1), 1));
    time.advance(9);
    assertThat(applied).isEmpty();
    time.advance(1);
    assertThat(applied).hasSize(1);
    assertThat(time.getNumActiveTimers()).isZero();
  }
}
