package io.sluice.pipeline;

import io.sluice.errors.SourceLocation;
import io.sluice.history.StorageType;
import io.sluice.sql.QualifiedName;
import io.sluice.sql.Query;
import java.util.List;
import java.util.Optional;

/**
 * A flow: a query whose rows go into one table.
 *
 * @param at its statement
 * @param name unique in the pipeline; the key of its position in the ledger
 * @param order declaration order; the later flow wins a tie (semantics 0.2)
 * @param target full name of the table
 * @param once whether it runs only in the first update after it was added (semantics 13.2)
 * @param query what it reads
 * @param scope where the names of its query are looked up
 * @param cdc how its rows are applied; empty for an append flow
 * @param comment COMMENT, if any
 * @param defining whether it is the query of the CREATE STREAMING TABLE statement itself
 */
public record Flow(
    SourceLocation at,
    String name,
    int order,
    QualifiedName target,
    boolean once,
    Query query,
    NameScope scope,
    Optional<CdcDefinition> cdc,
    Optional<String> comment,
    boolean defining) {

  /** How the flow is called in messages and results. */
  public String kind() {
    String source = snapshot().isPresent() ? "FROM SNAPSHOT " : "";
    String what =
        cdc.map(definition -> "AUTO CDC " + source + label(definition.type())).orElse("append");
    return once ? what + " ONCE" : what;
  }

  /** Whether it fills an AUTO CDC target once, before live flows go on (semantics 0.15). */
  public boolean isSeed() {
    return once && cdc.isPresent() && snapshot().isEmpty();
  }

  /** Whether it keeps an AUTO CDC target update after update. */
  public boolean isLive() {
    return !once && cdc.isPresent() && snapshot().isEmpty();
  }

  /** Whether it applies changes, once or update after update. */
  boolean isCdcFeed() {
    return cdc.isPresent() && snapshot().isEmpty();
  }

  /** Where a snapshot flow has its versions from; empty for every other flow. */
  public Optional<SnapshotVersions> snapshot() {
    return cdc.flatMap(CdcDefinition::snapshot);
  }

  /** The same flow with another query. */
  public Flow withQuery(Query other) {
    return new Flow(at, name, order, target, once, other, scope, cdc, comment, defining);
  }

  /** All queries of the flow: what it reads, and for a snapshot flow the version query. */
  public List<Query> queries() {
    return snapshot().orElse(null) instanceof SnapshotVersions.ByQuery versions
        ? List.of(query, versions.query())
        : List.of(query);
  }

  private static String label(StorageType type) {
    return switch (type) {
      case SCD1 -> "SCD 1";
      case SCD2 -> "SCD 2";
      case BITEMPORAL -> "BITEMPORAL";
    };
  }
}
