package io.sluice.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.history.Sequence;
import io.sluice.sequencing.Collection;
import io.sluice.table.CommitId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What may be collected, and when (semantics 0.5, 0.16); times are microseconds. */
class AppliedTimesTest {

  private static final CommitId COMMIT = new CommitId("next");
  private static final long COLLECTED = 1_000;

  private static Collection collectable(
      List<Long> applied, long nowMicros, long retentionMicros, long roundMicros) {
    return new AppliedTimes(
            applied, Optional.empty(), new Collection(COLLECTED, Long.MIN_VALUE, Sequence.LOWEST))
        .collectable(
            COMMIT,
            nowMicros,
            Duration.ofNanos(retentionMicros * 1000),
            Duration.ofNanos(roundMicros * 1000));
  }

  @Test
  void nothing_is_collected_before_its_retention_or_two_later_updates() {
    List<Long> applied = List.of(9_000L, 8_000L, 7_000L);
    assertThat(collectable(applied, 10_000, 5_000, 0).untilMicros()).isEqualTo(5_000);
    assertThat(collectable(applied, 10_000, 1, 0).untilMicros()).isEqualTo(7_000);
    assertThat(collectable(List.of(9_000L, 8_000L), 10_000, 1, 0).isDue()).isFalse();
    assertThat(collectable(applied, 10_000, 0, 0).untilMicros()).isEqualTo(Long.MIN_VALUE);
  }

  @Test
  void rounds_wait_until_enough_has_come_to_its_end() {
    List<Long> applied = List.of(9_000L, 8_000L, 7_000L);
    assertThat(collectable(applied, 10_000, 8_000, 1_001))
        .isEqualTo(new Collection(COLLECTED, COLLECTED, Sequence.LOWEST));
    assertThat(collectable(applied, 10_000, 8_000, 1_000).untilMicros()).isEqualTo(2_000);
  }

  @Test
  void a_longer_retention_or_none_keeps_what_has_not_been_collected() {
    List<Long> applied = List.of(9_000L, 8_000L, 7_000L);
    assertThat(collectable(applied, 10_000, 9_500, 10).untilMicros()).isEqualTo(500);
    assertThat(collectable(applied, 10_000, 0, 10).untilMicros()).isEqualTo(Long.MIN_VALUE);
  }
}
