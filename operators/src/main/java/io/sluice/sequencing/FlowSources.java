package io.sluice.sequencing;

import java.io.Serializable;
import java.util.List;

/**
 * The files or partitions that a flow reads in one update, in an order that is theirs (semantics
 * 0.2), and how places in them are called.
 *
 * @param flow name of the flow
 * @param order declaration order of the flow in the pipeline
 * @param names text of each source by its number, in whose order ties are resolved; empty if the
 *     flow's query hides the positions of its sources
 * @param unit what an offset counts: byte, record or row
 */
public record FlowSources(String flow, int order, List<String> names, String unit)
    implements Serializable {

  /** The unit of offsets in partitions of a topic; a message is {@code topic-partition@offset}. */
  public static final String MESSAGE = "message";

  public FlowSources {
    names = List.copyOf(names);
  }

  /** The place of a record as a person would look it up. */
  public String describe(int source, long offset) {
    return source < 0 || source >= names.size()
        ? "an unknown place of flow " + flow
        : describe(names.get(source), offset);
  }

  /** The same for a source by its name. */
  String describe(String source, long offset) {
    return describe(source, unit, offset);
  }

  /** The place of a record in a source of any flow. */
  public static String describe(String name, String unit, long offset) {
    return unit.equals(MESSAGE) ? name + "@" + offset : name + " (" + unit + " " + offset + ")";
  }
}
