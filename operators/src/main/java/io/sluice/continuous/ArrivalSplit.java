package io.sluice.continuous;

import java.io.Serializable;
import java.util.List;
import org.apache.flink.api.connector.source.SourceSplit;

/**
 * How far the one reader of a source is.
 *
 * @param handedOut what it has handed out, as {@link Arrivals#remembered} keeps it
 * @param <A> an arrival
 */
public record ArrivalSplit<A extends Serializable>(List<A> handedOut)
    implements SourceSplit, Serializable {

  public ArrivalSplit {
    handedOut = List.copyOf(handedOut);
  }

  @Override
  public String splitId() {
    return "all";
  }
}
