package io.sluice.continuous;

import io.sluice.kafka.KafkaTopic;
import io.sluice.kafka.LostOffsets;
import io.sluice.kafka.TopicIds;
import java.io.Serializable;
import java.util.List;

/**
 * Watches the ids of topics. A consumer that stands at an offset goes on there in a topic that was
 * deleted and made again, as soon as that is filled so far: the messages before would be lost
 * without a word. A topic gets its id when it is made and nobody can give it to another one, so a
 * topic that still has its id after messages were read has it since before.
 */
public final class TopicWatch implements SourceWatch {

  private static final long serialVersionUID = 1L;

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

  /** Topics of whose brokers no id can be had are not watched. */
  public TopicWatch(List<Watched> topics) {
    this.topics = topics.stream().filter(watched -> !watched.id().isEmpty()).toList();
  }

  @Override
  public Session open() {
    TopicIds ids = new TopicIds();
    return new TopicLooks(topics, ids::ask, ids::close, TopicIds.PATIENCE, System::nanoTime);
  }
}
