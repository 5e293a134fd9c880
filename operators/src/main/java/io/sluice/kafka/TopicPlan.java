package io.sluice.kafka;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.SluiceException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What a flow reads of a topic next, from what it has read and what is there.
 *
 * @param ranges what to read, by partition; nothing of partitions without anything new
 * @param after how far the topic is read then
 * @param lost what is gone although it was not read, for people; empty under the rule FAIL
 */
public record TopicPlan(List<PartitionRange> ranges, TopicOffsets after, List<String> lost) {

  /** What to do where messages are gone that were not read. */
  public static final String REMEDY =
      "Bring the messages back; or SET 'sluice.kafka.on-lost-offsets' = 'EARLIEST' for one update"
          + " to go on with what is there; or rebuild the table with --full-refresh";

  private static final int SHOWN = 5;

  public TopicPlan {
    ranges = List.copyOf(ranges);
    lost = List.copyOf(lost);
  }

  /** Where each partition is to be read next, for a source that does not end. */
  public TopicOffsets start() {
    SortedMap<Integer, Long> start = new TreeMap<>(after.next());
    ranges.forEach(range -> start.put(range.partition(), range.from()));
    return new TopicOffsets(after.topicId(), start);
  }

  /**
   * Plans a read of everything that is new. A partition that the flow has not seen is read from its
   * oldest message on, unless the whole topic is new to the flow.
   *
   * @param before how far the flow has read it; empty for a flow that has not
   * @throws SluiceException KAFKA_OFFSETS_LOST, naming topic, partitions and offsets, where
   *     messages that the flow has not read are gone and the rule is FAIL
   */
  public static TopicPlan of(
      KafkaTopic topic, TopicState now, Optional<TopicOffsets> before, LostOffsets rule) {
    Optional<TopicOffsets> valid = before;
    List<String> lost = new ArrayList<>();
    if (before.isPresent()) {
      lost.addAll(wholeTopic(now, before.get()));
      valid = lost.isEmpty() ? before : Optional.empty();
    }
    boolean latest = before.isEmpty() && topic.start() == StartingOffsets.LATEST;
    List<PartitionRange> ranges = new ArrayList<>();
    SortedMap<Integer, Long> next = new TreeMap<>();
    for (Map.Entry<Integer, TopicState.Partition> entry : now.partitions().entrySet()) {
      int number = entry.getKey();
      TopicState.Partition partition = entry.getValue();
      Long known = valid.map(offsets -> offsets.next().get(number)).orElse(null);
      long from = known != null ? known : latest ? partition.readable() : partition.earliest();
      if (from < partition.earliest() || from > partition.written()) {
        lost.add(gone(number, from, partition));
        from = partition.earliest();
      }
      long to = Math.max(from, partition.readable());
      next.put(number, to);
      if (from < to) {
        ranges.add(new PartitionRange(number, from, to));
      }
    }
    if (!lost.isEmpty() && rule == LostOffsets.FAIL) {
      throw error(topic, lost);
    }
    return new TopicPlan(ranges, new TopicOffsets(now.topicId(), next), lost);
  }

  /** Why nothing that was read of the topic says anything about what is there now. */
  private static List<String> wholeTopic(TopicState now, TopicOffsets before) {
    List<String> lost = new ArrayList<>();
    boolean other =
        !before.topicId().isEmpty()
            && !now.topicId().isEmpty()
            && !before.topicId().equals(now.topicId());
    before
        .next()
        .forEach(
            (number, offset) -> {
              TopicState.Partition partition = now.partitions().get(number);
              if (partition == null) {
                lost.add(
                    "partition " + number + ", to be read from offset " + offset + ", is gone");
              } else if (other) {
                lost.add(
                    "partition "
                        + number
                        + ", to be read from offset "
                        + offset
                        + ", belongs to another topic of that name, which holds offsets "
                        + partition.earliest()
                        + " to "
                        + partition.written());
              }
            });
    return lost;
  }

  private static String gone(int number, long from, TopicState.Partition partition) {
    return from < partition.earliest()
        ? "partition "
            + number
            + " is to be read from offset "
            + from
            + " and begins with offset "
            + partition.earliest()
        : "partition "
            + number
            + " is to be read from offset "
            + from
            + " and ends with offset "
            + partition.written();
  }

  private static SluiceException error(KafkaTopic topic, List<String> lost) {
    String shown = String.join("; ", lost.subList(0, Math.min(SHOWN, lost.size())));
    return new SluiceException(
        ErrorCode.KAFKA_OFFSETS_LOST,
        "topic '"
            + topic.name()
            + "' at "
            + topic.bootstrapServers()
            + " no longer holds what is to be read next: "
            + shown
            + (lost.size() > SHOWN ? "; and " + (lost.size() - SHOWN) + " more" : ""),
        REMEDY);
  }
}
