package io.sluice.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.SluiceException;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class TopicPlanTest {

  private static final KafkaTopic TOPIC =
      new KafkaTopic("orders", "host:9092", StartingOffsets.EARLIEST, Map.of());

  private static TopicState.Partition partition(long earliest, long readable, long written) {
    return new TopicState.Partition(earliest, readable, written);
  }

  private static TopicState state(String id, TopicState.Partition... partitions) {
    TreeMap<Integer, TopicState.Partition> numbered = new TreeMap<>();
    for (TopicState.Partition partition : partitions) {
      numbered.put(numbered.size(), partition);
    }
    return new TopicState(id, numbered);
  }

  private static TopicPlan plan(TopicState now, TopicOffsets before, LostOffsets rule) {
    return TopicPlan.of(TOPIC, now, Optional.ofNullable(before), rule);
  }

  private static void lost(ThrowingCallable call, String... texts) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            SluiceException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.KAFKA_OFFSETS_LOST))
        .hasMessageContainingAll(texts);
  }

  @Test
  void aNewFlowReadsAllThatIsThereUpToOpenTransactions() {
    TopicPlan plan =
        plan(state("id", partition(5, 8, 9), partition(0, 0, 3)), null, LostOffsets.FAIL);
    assertThat(plan.ranges()).containsExactly(new PartitionRange(0, 5, 8));
    assertThat(plan.after()).isEqualTo(TopicOffsets.of("id", Map.of(0, 8L, 1, 0L)));
    assertThat(plan.start()).isEqualTo(TopicOffsets.of("id", Map.of(0, 5L, 1, 0L)));
  }

  @Test
  void aNewFlowMayBeginWithWhatComesNext() {
    KafkaTopic latest = TOPIC.from(StartingOffsets.LATEST);
    TopicState now = state("id", partition(5, 8, 8));
    TopicPlan plan = TopicPlan.of(latest, now, Optional.empty(), LostOffsets.FAIL);
    assertThat(plan.ranges()).isEmpty();
    assertThat(plan.after()).isEqualTo(TopicOffsets.of("id", Map.of(0, 8L)));

    TopicState grown = state("id", partition(5, 9, 9), partition(0, 2, 2));
    assertThat(TopicPlan.of(latest, grown, Optional.of(plan.after()), LostOffsets.FAIL).ranges())
        .as("a partition that is added later is read whole")
        .containsExactly(new PartitionRange(0, 8, 9), new PartitionRange(1, 0, 2));
  }

  @Test
  void aPositionBehindAnOpenTransactionStays() {
    TopicOffsets before = TopicOffsets.of("id", Map.of(0, 9L));
    TopicPlan plan = plan(state("id", partition(0, 7, 12)), before, LostOffsets.FAIL);
    assertThat(plan.ranges()).isEmpty();
    assertThat(plan.after()).isEqualTo(before);
  }

  @Test
  void whatRetentionTookIsLost() {
    TopicOffsets before = TopicOffsets.of("id", Map.of(0, 4L, 1, 3L));
    TopicState now = state("id", partition(6, 9, 9), partition(3, 5, 5));
    lost(
        () -> plan(now, before, LostOffsets.FAIL),
        "'orders' at host:9092",
        "partition 0 is to be read from offset 4 and begins with offset 6",
        "on-lost-offsets");
    assertThat(plan(now, before, LostOffsets.EARLIEST).ranges())
        .containsExactly(new PartitionRange(0, 6, 9), new PartitionRange(1, 3, 5));
  }

  @Test
  void offsetsBehindTheEndAreLost() {
    TopicOffsets before = TopicOffsets.of("", Map.of(0, 40L));
    TopicState now = state("", partition(0, 9, 9));
    lost(
        () -> plan(now, before, LostOffsets.FAIL),
        "partition 0 is to be read from offset 40 and ends with offset 9");
    assertThat(plan(now, before, LostOffsets.EARLIEST).ranges())
        .containsExactly(new PartitionRange(0, 0, 9));
  }

  @Test
  void anotherTopicOfTheSameNameIsLostWhateverItHolds() {
    TopicOffsets before = TopicOffsets.of("old", Map.of(0, 4L));
    TopicState now = state("new", partition(0, 9, 9));
    lost(() -> plan(now, before, LostOffsets.FAIL), "offset 4, belongs to another topic", "0 to 9");
    TopicPlan anew = plan(now, before, LostOffsets.EARLIEST);
    assertThat(anew.ranges()).containsExactly(new PartitionRange(0, 0, 9));
    assertThat(anew.lost()).singleElement().asString().contains("another topic");
    assertThat(anew.after()).isEqualTo(TopicOffsets.of("new", Map.of(0, 9L)));
  }

  @Test
  void aPartitionThatIsGoneIsLost() {
    TopicOffsets before = TopicOffsets.of("id", Map.of(0, 4L, 1, 7L));
    TopicState now = state("id", partition(0, 4, 4));
    lost(
        () -> plan(now, before, LostOffsets.FAIL),
        "partition 1, to be read from offset 7, is gone");
  }

  @Test
  void topicsOfBrokersWithoutIdsAreTakenForTheSame() {
    TopicOffsets before = TopicOffsets.of("", Map.of(0, 4L));
    assertThat(plan(state("id", partition(0, 6, 6)), before, LostOffsets.FAIL).ranges())
        .containsExactly(new PartitionRange(0, 4, 6));
  }
}
