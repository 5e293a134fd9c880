package io.sluice.continuous;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.SluiceException;
import io.sluice.kafka.KafkaTopic;
import io.sluice.kafka.LostOffsets;
import io.sluice.kafka.StartingOffsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What is made of the answers of brokers, and of no answer. */
class TopicLooksTest {

  private static final Duration PATIENCE = Duration.ofMillis(100);

  /** What the brokers say at once; a topic without an entry is one that they do not answer. */
  private final Map<String, Optional<String>> brokers = new LinkedHashMap<>();

  private final List<Asked> asked = new ArrayList<>();
  private long nowNanos = 5;

  private record Asked(String topic, CompletableFuture<Optional<String>> answer) {}

  private CompletableFuture<Optional<String>> ask(KafkaTopic topic) {
    CompletableFuture<Optional<String>> answer = new CompletableFuture<>();
    if (brokers.containsKey(topic.name())) {
      answer.complete(brokers.get(topic.name()));
    }
    asked.add(new Asked(topic.name(), answer));
    return answer;
  }

  private TopicLooks looks(LostOffsets rule, String... topics) {
    return new TopicLooks(
        List.of(topics).stream()
            .map(
                topic ->
                    new TopicWatch.Watched(
                        read(topic),
                        new KafkaTopic(topic, "broker:9092", StartingOffsets.EARLIEST, Map.of()),
                        "id of " + topic,
                        rule))
            .toList(),
        this::ask,
        () -> brokers.clear(),
        PATIENCE,
        () -> nowNanos);
  }

  private static SourceWatch.Read read(String topic) {
    return new SourceWatch.Read("flow of " + topic, "kafka:" + topic);
  }

  private static boolean confirms(TopicLooks looks, String... topics) {
    return looks.confirms(
        List.of(topics).stream().map(TopicLooksTest::read).collect(Collectors.toSet()));
  }

  private void knows(String... topics) {
    for (String topic : topics) {
      brokers.put(topic, Optional.of("id of " + topic));
    }
  }

  private void pass(long seconds) {
    nowNanos += TimeUnit.SECONDS.toNanos(seconds);
  }

  private static SluiceException failure(Runnable look) {
    SluiceException failure = catchThrowableOfType(SluiceException.class, look::run);
    assertThat(failure).as("the failure of a look").isNotNull();
    return failure;
  }

  @Test
  void topics_with_their_ids_are_confirmed_and_only_those_are_asked_that_were_read() {
    TopicLooks looks = looks(LostOffsets.FAIL, "a", "b", "c");
    knows("a", "c");
    assertThat(confirms(looks, "a", "c")).isTrue();
    assertThat(asked).extracting(Asked::topic).containsExactly("a", "c");
    assertThat(looks.confirms(Set.of())).isTrue();
    assertThat(asked).hasSize(2);
  }

  @Test
  void topics_whose_brokers_no_longer_give_ids_are_confirmed() {
    TopicLooks looks = looks(LostOffsets.FAIL, "a");
    brokers.put("a", Optional.of(""));
    assertThat(confirms(looks, "a")).isTrue();
  }

  @Test
  void one_that_is_missing_for_less_than_15_seconds_is_only_waited_for() {
    TopicLooks looks = looks(LostOffsets.FAIL, "a");
    brokers.put("a", Optional.empty());
    for (int second = 0; second < 15; second++) {
      assertThat(confirms(looks, "a")).isFalse();
      looks.look();
      pass(1);
    }
    knows("a");
    assertThat(confirms(looks, "a")).isTrue();
    brokers.put("a", Optional.empty());
    assertThat(confirms(looks, "a")).isFalse();
    pass(14);
    assertThat(confirms(looks, "a")).isFalse();
    pass(1);
    assertThat(failure(() -> confirms(looks, "a")).code()).isEqualTo(ErrorCode.KAFKA_OFFSETS_LOST);
  }

  @Test
  void one_that_is_gone_ends_the_run_although_nothing_of_it_comes_and_whatever_the_rule() {
    for (LostOffsets rule : LostOffsets.values()) {
      TopicLooks looks = looks(rule, "a");
      brokers.put("a", Optional.empty());
      for (int second = 0; second <= 15; second++) {
        looks.look();
        pass(1);
      }
      pass(1);
      SluiceException gone =
          failure(
              () -> {
                looks.look();
                looks.look();
              });
      assertThat(gone.code()).isEqualTo(ErrorCode.KAFKA_OFFSETS_LOST);
      assertThat(gone).hasMessageContainingAll("'a'", "broker:9092", "flow of a", "is gone");
    }
  }

  @Test
  void the_first_look_after_a_long_pause_does_not_make_one_gone() {
    TopicLooks looks = looks(LostOffsets.FAIL, "a");
    pass(3600);
    brokers.put("a", Optional.empty());
    assertThat(confirms(looks, "a")).isFalse();
  }

  @Test
  void brokers_that_do_not_answer_meanwhile_begin_the_15_seconds_anew() {
    TopicLooks looks = looks(LostOffsets.FAIL, "a");
    brokers.put("a", Optional.empty());
    assertThat(confirms(looks, "a")).isFalse();
    pass(10);
    brokers.clear();
    assertThat(confirms(looks, "a")).isFalse();
    asked.get(1).answer().completeExceptionally(new TimeoutException("scripted"));
    pass(10);
    brokers.put("a", Optional.empty());
    looks.look();
    looks.look();
    pass(14);
    assertThat(confirms(looks, "a")).isFalse();
    pass(1);
    assertThat(failure(() -> confirms(looks, "a"))).hasMessageContaining("is gone");
  }

  @Test
  void one_with_another_id_ends_the_run_or_lets_it_begin_anew_at_the_first_answer() {
    for (LostOffsets rule : LostOffsets.values()) {
      TopicLooks looks = looks(rule, "a");
      brokers.put("a", Optional.of("new"));
      SluiceException found = failure(() -> confirms(looks, "a"));
      assertThat(found.code())
          .isEqualTo(
              rule == LostOffsets.FAIL ? ErrorCode.KAFKA_OFFSETS_LOST : ErrorCode.RESTART_NEEDED);
      assertThat(found).hasMessageContainingAll("its id was id of a and is new");
    }
  }

  @Test
  void all_topics_share_one_deadline() {
    String[] many = IntStream.range(0, 200).mapToObj(n -> "t" + n).toArray(String[]::new);
    TopicLooks looks = looks(LostOffsets.FAIL, many);
    long began = System.nanoTime();
    assertThat(confirms(looks, many)).isFalse();
    assertThat(Duration.ofNanos(System.nanoTime() - began))
        .isBetween(PATIENCE, PATIENCE.multipliedBy(100));
    assertThat(asked).hasSize(200);
  }

  @Test
  void while_brokers_do_not_answer_nobody_waits_and_the_looks_go_on_asking_one_question() {
    TopicLooks looks = looks(LostOffsets.FAIL, "a", "b");
    knows("b");
    assertThat(confirms(looks, "a", "b")).isFalse();
    assertThat(asked).hasSize(2);
    assertThat(confirms(looks, "a", "b")).isFalse();
    assertThat(asked).hasSize(2);
    assertThat(confirms(looks, "b")).isTrue();
    asked.get(0).answer().completeExceptionally(new TimeoutException("scripted"));
    asked.clear();
    for (int second = 0; second < 6; second++) {
      looks.look();
      assertThat(confirms(looks, "a")).isFalse();
      pass(1);
    }
    assertThat(asked).extracting(Asked::topic).containsExactly("a", "b", "b", "b");
  }

  @Test
  void an_answer_to_a_question_from_before_confirms_nothing_but_is_asked_for_again() {
    TopicLooks looks = looks(LostOffsets.FAIL, "a");
    assertThat(confirms(looks, "a")).isFalse();
    brokers.put("a", Optional.of("new"));
    asked.get(0).answer().complete(Optional.of("id of a"));
    assertThat(failure(() -> confirms(looks, "a"))).hasMessageContaining("made again");
    assertThat(asked).hasSize(2);
  }

  @Test
  void a_question_of_a_look_that_is_still_open_does_not_stand_for_a_later_one() {
    TopicLooks looks = looks(LostOffsets.FAIL, "a");
    looks.look();
    knows("a");
    assertThat(confirms(looks, "a")).isTrue();
    assertThat(asked).hasSize(2);
  }

  @Test
  void it_closes_the_connections() {
    knows("a");
    looks(LostOffsets.FAIL, "a").close();
    assertThat(brokers).isEmpty();
  }
}
