package io.sluice.plan;

import io.sluice.pipeline.Flow;
import io.sluice.sql.SourceReference;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;

/**
 * A flow with its sources and columns.
 *
 * @param flow the flow
 * @param sources its sources by reference (the same object in every walk of the queries)
 * @param columns the columns it delivers to the target
 * @param sequence type of its sequence as tables keep it; null for an append flow
 * @param systemSequence the same of its system sequence; null where it has none
 * @param positioned whether records keep their position through the query
 * @param idle whether it is a ONCE flow that has run; it has neither sources nor columns then
 */
public record ResolvedFlow(
    Flow flow,
    Map<SourceReference, ResolvedSource> sources,
    RowType columns,
    LogicalType sequence,
    LogicalType systemSequence,
    boolean positioned,
    boolean idle) {

  /** A ONCE flow that has run. */
  static ResolvedFlow idle(Flow flow) {
    return new ResolvedFlow(flow, new IdentityHashMap<>(), RowType.of(), null, null, false, true);
  }

  /** Its sources, each id once. */
  Collection<ResolvedSource> distinctSources() {
    Map<String, ResolvedSource> byId = new LinkedHashMap<>();
    sources.values().forEach(source -> byId.putIfAbsent(source.id(), source));
    return byId.values();
  }
}
