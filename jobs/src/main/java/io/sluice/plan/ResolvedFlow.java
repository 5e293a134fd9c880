package io.sluice.plan;

import io.sluice.pipeline.Flow;
import io.sluice.sequencing.Authorship;
import io.sluice.sequencing.UnavailableValue;
import io.sluice.sql.SourceReference;
import java.util.ArrayList;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;

/**
 * A flow with its sources and columns.
 *
 * @param flow the flow
 * @param sources its sources by reference (the same object in every walk of the queries)
 * @param columns the columns it delivers to the target
 * @param sequence type of its sequence as tables keep it; null for an append flow
 * @param ignoringNull names of the columns in which NULL means unchanged, whatever their case
 * @param positioned whether records keep their position through the query
 * @param snapshot the versions of a snapshot flow; empty for every other one
 * @param idle whether it is a ONCE flow that has run; it has neither sources nor columns then
 */
public record ResolvedFlow(
    Flow flow,
    Map<SourceReference, ResolvedSource> sources,
    RowType columns,
    LogicalType sequence,
    Set<String> ignoringNull,
    boolean positioned,
    Optional<ResolvedSnapshot> snapshot,
    boolean idle) {

  /** A flow that is no snapshot flow. */
  static ResolvedFlow of(
      Flow flow,
      Map<SourceReference, ResolvedSource> sources,
      RowType columns,
      LogicalType sequence,
      boolean positioned) {
    return new ResolvedFlow(
        flow, sources, columns, sequence, Set.of(), positioned, Optional.empty(), false);
  }

  /** A ONCE flow that has run. */
  static ResolvedFlow idle(Flow flow) {
    return new ResolvedFlow(
        flow, new IdentityHashMap<>(), RowType.of(), null, Set.of(), false, Optional.empty(), true);
  }

  /** The same flow with other sources. */
  ResolvedFlow withSources(Map<SourceReference, ResolvedSource> others) {
    return new ResolvedFlow(
        flow, others, columns, sequence, ignoringNull, positioned, snapshot, idle);
  }

  /** The same flow, NULL in these columns meaning unchanged. */
  ResolvedFlow ignoringNull(Set<String> names) {
    return new ResolvedFlow(flow, sources, columns, sequence, names, positioned, snapshot, idle);
  }

  /** Which columns of a target its events write (semantics 8.1). */
  Authorship authorship(RowType target, Optional<String> unavailableValue) {
    List<Integer> delivered = new ArrayList<>();
    List<Integer> ignoreNull = new ArrayList<>();
    for (int i = 0; i < target.getFieldCount(); i++) {
      String name = target.getFieldNames().get(i);
      if (columns.getFieldNames().stream().anyMatch(name::equalsIgnoreCase)) {
        delivered.add(i);
      }
      if (ignoringNull.stream().anyMatch(name::equalsIgnoreCase)) {
        ignoreNull.add(i);
      }
    }
    return new Authorship(
        delivered,
        ignoreNull,
        flow.cdc().orElseThrow().columnsToUpdate().isPresent(),
        unavailableValue.map(UnavailableValue::new).orElse(null));
  }

  /** Its sources, each id once. */
  Collection<ResolvedSource> distinctSources() {
    Map<String, ResolvedSource> byId = new LinkedHashMap<>();
    sources.values().forEach(source -> byId.putIfAbsent(source.id(), source));
    return byId.values();
  }
}
