package io.sluice.continuous;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.SluiceException;
import io.sluice.kafka.LostOffsets;
import io.sluice.kafka.TopicPlan;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What is known of one topic, and the question about it that is open. */
final class TopicLook {

  /**
   * How long brokers have to say that there is no such topic until it counts as gone. A broker that
   * has just started, or is cut off from the controller, does not know all topics; the controller
   * takes a broker out that is silent for 9 seconds ({@code broker.session.timeout.ms}).
   */
  static final long GONE_NANOS = TimeUnit.SECONDS.toNanos(15);

  private static final Logger LOG = LoggerFactory.getLogger(TopicLook.class);

  private final TopicWatch.Watched watched;
  private final Supplier<CompletableFuture<Optional<String>>> id;
  private final LongSupplier nanoTime;

  private Question open;
  private boolean answered = true;
  private OptionalLong missingSinceNanos = OptionalLong.empty();

  private record Question(long askedNanos, CompletableFuture<Optional<String>> answer) {}

  /**
   * @param id asks for its id; empty if there is no such topic, "" if the brokers give no id
   */
  TopicLook(
      TopicWatch.Watched watched,
      Supplier<CompletableFuture<Optional<String>>> id,
      LongSupplier nanoTime) {
    this.watched = watched;
    this.id = id;
    this.nanoTime = nanoTime;
  }

  TopicWatch.Watched watched() {
    return watched;
  }

  /** Whether the last question whose time is over was answered. */
  boolean isAnswered() {
    return answered;
  }

  /** Whether no question is open. */
  boolean isIdle() {
    return open == null;
  }

  /** Asks; an older question does not count any more. */
  void ask() {
    open = new Question(nanoTime.getAsLong(), id.get());
  }

  /**
   * Takes the answer to the open question if it is there.
   *
   * @throws SluiceException if it says that the topic is gone or another one
   */
  void take() {
    if (open != null && open.answer().isDone()) {
      isSame(0);
    }
  }

  /**
   * Whether the answer to the open question says that the topic is the same.
   *
   * @param nanos how long to wait for it; without an answer the question stays open
   * @throws SluiceException if it says that the topic is gone or another one
   */
  boolean isSame(long nanos) {
    Question question = open;
    try {
      Optional<String> found = question.answer().get(nanos, TimeUnit.NANOSECONDS);
      open = null;
      return isSame(question, found);
    } catch (TimeoutException e) {
      notAnswered(e);
    } catch (ExecutionException e) {
      open = null;
      notAnswered(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return false;
  }

  private void notAnswered(Throwable why) {
    missingSinceNanos = OptionalLong.empty();
    if (answered) {
      answered = false;
      LOG.warn(
          "Kafka does not tell whether topic {} is still the same; what was read of it is"
              + " committed when it does",
          watched.topic().name(),
          why);
    }
  }

  private boolean isSame(Question question, Optional<String> found) {
    if (!answered) {
      answered = true;
      LOG.info("Kafka answers again questions about topic {}", watched.topic().name());
    }
    if (found.isEmpty()) {
      missing(question.askedNanos());
      return false;
    }
    missingSinceNanos = OptionalLong.empty();
    if (!found.get().isEmpty() && !found.get().equals(watched.id())) {
      throw lost(
          watched.rule() == LostOffsets.FAIL
              ? ErrorCode.KAFKA_OFFSETS_LOST
              : ErrorCode.RESTART_NEEDED,
          "was deleted and made again: its id was " + watched.id() + " and is " + found.get());
    }
    return true;
  }

  private void missing(long askedNanos) {
    if (missingSinceNanos.isEmpty()) {
      missingSinceNanos = OptionalLong.of(askedNanos);
      LOG.warn(
          "Kafka says that there is no topic {}; if it says so for {} seconds, the run ends",
          watched.topic().name(),
          TimeUnit.NANOSECONDS.toSeconds(GONE_NANOS));
    } else if (askedNanos - missingSinceNanos.getAsLong() >= GONE_NANOS) {
      throw lost(ErrorCode.KAFKA_OFFSETS_LOST, "is gone");
    }
  }

  private SluiceException lost(ErrorCode code, String what) {
    return new SluiceException(
        code,
        "topic '"
            + watched.topic().name()
            + "' at "
            + watched.topic().bootstrapServers()
            + ", which flow '"
            + watched.read().flow()
            + "' reads, "
            + what,
        TopicPlan.REMEDY);
  }
}
