package io.sluice.continuous;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.SluiceException;
import io.sluice.kafka.KafkaTopic;
import io.sluice.kafka.LostOffsets;
import io.sluice.kafka.TopicIds;
import io.sluice.kafka.TopicPlan;
import java.io.Serializable;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches the ids of topics. A consumer that stands at an offset goes on there in a topic that was
 * deleted and made again, as soon as that is filled so far: the messages before would be lost
 * without a word. A topic gets its id when it is made and nobody can give it to another one, so a
 * topic that still has its id after messages were read has it since before.
 */
public final class TopicWatch implements SourceWatch {

  private static final long serialVersionUID = 1L;
  private static final Logger LOG = LoggerFactory.getLogger(TopicWatch.class);

  /** Pause between two looks at topics of which nothing comes. */
  private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(2);

  private final List<Watched> topics;

  /**
   * A topic that a flow reads.
   *
   * @param read the flow and the source's id
   * @param topic where it is
   * @param id Kafka's id of it when the job was planned; empty where the brokers give none
   * @param rule what happens where the topic is another one
   */
  public record Watched(Read read, KafkaTopic topic, String id, LostOffsets rule)
      implements Serializable {}

  public TopicWatch(List<Watched> topics) {
    this.topics = topics.stream().filter(watched -> !watched.id().isEmpty()).toList();
  }

  @Override
  public Session open() {
    return new Looks();
  }

  private final class Looks implements Session {

    private final TopicIds ids = new TopicIds();

    /** Topics that the last look did not find. */
    private final Set<Watched> missing = new HashSet<>();

    private Map<Watched, CompletableFuture<Optional<String>>> asked = Map.of();
    private long lookedNanos = System.nanoTime() - PAUSE_NANOS;

    @Override
    public boolean confirms(Set<Read> sources) {
      List<Watched> read =
          topics.stream().filter(watched -> sources.contains(watched.read())).toList();
      if (read.isEmpty()) {
        return true;
      }
      boolean confirmed = true;
      for (Map.Entry<Watched, CompletableFuture<Optional<String>>> each : ask(read).entrySet()) {
        confirmed &= isSame(each.getKey(), each.getValue());
      }
      return confirmed;
    }

    @Override
    public void look() {
      if (!asked.values().stream().allMatch(CompletableFuture::isDone)) {
        return;
      }
      asked.forEach(this::isSame);
      asked = Map.of();
      if (System.nanoTime() - lookedNanos >= PAUSE_NANOS) {
        lookedNanos = System.nanoTime();
        asked = ask(topics);
      }
    }

    private Map<Watched, CompletableFuture<Optional<String>>> ask(List<Watched> about) {
      Map<Watched, CompletableFuture<Optional<String>>> answers = new LinkedHashMap<>();
      about.forEach(watched -> answers.put(watched, ids.ask(watched.topic())));
      return answers;
    }

    private boolean isSame(Watched watched, CompletableFuture<Optional<String>> answer) {
      Optional<String> id;
      try {
        id = answer.get(2 * TopicIds.PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
      } catch (ExecutionException | TimeoutException e) {
        LOG.warn(
            "Kafka does not tell whether topic {} is still the same; what was read of it is"
                + " committed when it does",
            watched.topic().name(),
            e);
        return false;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return false;
      }
      if (id.isEmpty()) {
        // A broker that has just started may not know of it yet: one look is not enough.
        if (!missing.add(watched)) {
          throw lost(watched, ErrorCode.KAFKA_OFFSETS_LOST, "is gone");
        }
        return false;
      }
      missing.remove(watched);
      if (!id.get().isEmpty() && !id.get().equals(watched.id())) {
        throw lost(
            watched,
            watched.rule() == LostOffsets.FAIL
                ? ErrorCode.KAFKA_OFFSETS_LOST
                : ErrorCode.RESTART_NEEDED,
            "was deleted and made again: its id was " + watched.id() + " and is " + id.get());
      }
      return true;
    }

    private SluiceException lost(Watched watched, ErrorCode code, String what) {
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

    @Override
    public void close() {
      ids.close();
    }
  }
}
