package io.sluice.history;

import java.io.Serializable;
import java.util.Objects;

/**
 * Where an event came from; the second part of the total order of events (semantics 0.2).
 *
 * @param flow position of the flow in the pipeline file: a later-declared flow is greater
 * @param source file or topic and partition, as text that orders like the sources do
 * @param offset position inside that source
 */
public record Origin(int flow, String source, long offset)
    implements Comparable<Origin>, Serializable {

  /** Below every other: that of an event which was read back from a row. */
  public static final Origin UNKNOWN = new Origin(Integer.MIN_VALUE, "", Long.MIN_VALUE);

  /**
   * That of a remembered event of a bitemporal key which rows showed until its system sequence and
   * show no more: what they show says when it was learned.
   */
  public static final Origin ROWS = new Origin(Integer.MIN_VALUE, "rows", Long.MIN_VALUE);

  public Origin {
    Objects.requireNonNull(source, "source");
  }

  public boolean isKnown() {
    return flow != UNKNOWN.flow;
  }

  @Override
  public int compareTo(Origin other) {
    int order = Integer.compare(flow, other.flow);
    if (order == 0) {
      order = source.compareTo(other.source);
    }
    return order != 0 ? order : Long.compare(offset, other.offset);
  }
}
