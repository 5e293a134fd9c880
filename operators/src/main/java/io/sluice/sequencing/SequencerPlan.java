package io.sluice.sequencing;

import io.sluice.history.Sequence;
import java.io.Serializable;
import java.util.List;

/**
 * What one update adds to a {@link TargetLayout}.
 *
 * @param sources per flow what it reads, in declaration order of the flows
 * @param targetFiles data files of the target by their number in this update
 * @param companionFiles data files of the companion by their number in this update
 * @param failOnTies whether a tie is an error (semantics 0.2)
 * @param appliedAtMicros when the events of this update are applied, microseconds since 1970
 * @param update number of the update, counted per target
 * @param collection what of the remembered events may be forgotten (semantics 0.5, 0.16)
 * @param floor the floor as of the last commit (semantics 0.8, 0.9)
 * @param stated the version of the last snapshot that states every key; {@link Sequence#LOWEST} if
 *     there was none. An event of that very sequence beats it, which is no tie (semantics 0.9)
 */
public record SequencerPlan(
    List<FlowSources> sources,
    List<String> targetFiles,
    List<String> companionFiles,
    boolean failOnTies,
    long appliedAtMicros,
    long update,
    Collection collection,
    Sequence floor,
    Sequence stated)
    implements Serializable {

  public SequencerPlan {
    sources = List.copyOf(sources);
    targetFiles = List.copyOf(targetFiles);
    companionFiles = List.copyOf(companionFiles);
  }

  /** Path of a data file of the target. */
  String targetFile(long number) {
    return targetFiles.get((int) number);
  }

  /** Path of a data file of the companion. */
  String companionFile(long number) {
    return companionFiles.get((int) number);
  }

  /** The plan of an update of a target without a snapshot. */
  public SequencerPlan(
      List<FlowSources> sources,
      List<String> targetFiles,
      List<String> companionFiles,
      boolean failOnTies,
      long appliedAtMicros,
      long update,
      Collection collection,
      Sequence floor) {
    this(
        sources,
        targetFiles,
        companionFiles,
        failOnTies,
        appliedAtMicros,
        update,
        collection,
        floor,
        Sequence.LOWEST);
  }

  /** The flow with a declaration order. */
  FlowSources flow(int order) {
    for (FlowSources flow : sources) {
      if (flow.order() == order) {
        return flow;
      }
    }
    throw new IllegalArgumentException("no flow has order " + order);
  }

  /** The declaration order of a flow by name; -1, below every flow, if it is no more. */
  int orderOf(String name) {
    for (FlowSources flow : sources) {
      if (flow.flow().equals(name)) {
        return flow.order();
      }
    }
    return -1;
  }
}
