package io.sluice.run;

import io.sluice.continuous.Commits;
import io.sluice.pipeline.InvalidEventRule;
import java.util.ArrayList;
import java.util.List;
import org.apache.iceberg.Schema;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.flink.CatalogLoader;

/**
 * How the checkpoints of one target of a continuous run are committed; travels to the task.
 *
 * @param catalog opens the catalog there
 * @param name namespace and name of the target
 * @param written columns of the target when the job was made, which its writers write
 * @param run id of the run, the first part of its commit ids
 * @param flows names of the target's flows that have a position
 * @param keyed whether the target has a key, so that rows changed by others matter
 * @param invalidEvents what becomes of records that cannot be applied
 */
record TargetCommits(
    CatalogLoader catalog,
    List<String> name,
    Schema written,
    String run,
    List<String> flows,
    boolean keyed,
    InvalidEventRule invalidEvents)
    implements Commits {

  TargetCommits {
    name = List.copyOf(name);
    flows = List.copyOf(flows);
  }

  /** The name of a table as it travels. */
  static List<String> nameOf(TableIdentifier table) {
    List<String> parts = new ArrayList<>(List.of(table.namespace().levels()));
    parts.add(table.name());
    return parts;
  }

  TableIdentifier target() {
    return TableIdentifier.of(name.toArray(String[]::new));
  }

  @Override
  public Session open() {
    return new TargetSession(this);
  }
}
