package io.sluice.plan;

import io.sluice.sequencing.EventLayout;
import io.sluice.sequencing.FlowSources;
import io.sluice.sequencing.InvalidEvent;
import java.util.List;
import java.util.Optional;
import org.apache.flink.streaming.api.datastream.DataStream;

/** The sources of one flow in one job, as streams that the planner can use. */
interface SourceStreams extends SourceBinder {

  /**
   * What the flow reads, for the order of ties and for messages; complete when the query is
   * planned.
   *
   * @param positionedBy the source whose positions the rows carry; empty if they carry none
   */
  FlowSources flowSources(Optional<ResolvedSource> positionedBy);

  /**
   * Records that could not be parsed, one stream per source; complete when the query is planned.
   */
  List<DataStream<InvalidEvent>> malformed();

  /** How the rows of a positioned query tell their place. */
  EventLayout.Position position();
}
