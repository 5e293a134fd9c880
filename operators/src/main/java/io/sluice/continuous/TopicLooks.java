package io.sluice.continuous;

import io.sluice.kafka.KafkaTopic;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * The looks at topics while a job runs. What was read is confirmed by the answers to questions that
 * are asked now, because an older answer says nothing of what was read since. All topics are asked
 * at once and share one deadline. After a question that was not answered nobody waits any more: the
 * looks go on asking, and when they have an answer, the next confirmation asks and waits again.
 */
final class TopicLooks implements SourceWatch.Session {

  /** Pause between two looks at topics of which nothing comes. */
  static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(2);

  private final List<TopicLook> topics;
  private final Runnable close;
  private final Duration patience;
  private final LongSupplier nanoTime;
  private long lookedNanos;

  /**
   * @param ids asks for the id of a topic, as {@link io.sluice.kafka.TopicIds#ask}
   * @param close ends the connections to the brokers
   * @param patience how long a confirmation waits for the answers, all together
   * @param nanoTime clock of the looks
   */
  TopicLooks(
      List<TopicWatch.Watched> topics,
      Function<KafkaTopic, CompletableFuture<Optional<String>>> ids,
      Runnable close,
      Duration patience,
      LongSupplier nanoTime) {
    this.topics =
        topics.stream()
            .map(watched -> new TopicLook(watched, () -> ids.apply(watched.topic()), nanoTime))
            .toList();
    this.close = close;
    this.patience = patience;
    this.nanoTime = nanoTime;
    this.lookedNanos = nanoTime.getAsLong() - PAUSE_NANOS;
  }

  @Override
  public boolean confirms(Set<SourceWatch.Read> sources) {
    List<TopicLook> read =
        topics.stream().filter(topic -> sources.contains(topic.watched().read())).toList();
    read.forEach(TopicLook::take);
    if (!read.stream().allMatch(TopicLook::isAnswered)) {
      return false;
    }
    read.forEach(TopicLook::ask);
    long deadline = System.nanoTime() + patience.toNanos();
    boolean confirmed = true;
    for (TopicLook topic : read) {
      confirmed &= topic.isSame(deadline - System.nanoTime());
    }
    return confirmed;
  }

  @Override
  public void look() {
    topics.forEach(TopicLook::take);
    if (nanoTime.getAsLong() - lookedNanos >= PAUSE_NANOS) {
      lookedNanos = nanoTime.getAsLong();
      topics.stream().filter(TopicLook::isIdle).forEach(TopicLook::ask);
    }
  }

  @Override
  public void close() {
    close.run();
  }
}
