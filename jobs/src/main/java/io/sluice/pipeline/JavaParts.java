package io.sluice.pipeline;

import io.sluice.sql.CreateView;
import io.sluice.sql.FlowBody;
import java.util.IdentityHashMap;
import java.util.Map;

/**
 * What statements of a program have that no text can say; looked up by the statement itself, not by
 * its content.
 *
 * @param functions what makes the rows of views
 * @param versions where snapshot flows have their versions from, if not from a query
 */
public record JavaParts(
    Map<CreateView, ViewFunction> functions, Map<FlowBody, SnapshotVersions> versions) {

  /** No parts yet. */
  public JavaParts() {
    this(new IdentityHashMap<>(), new IdentityHashMap<>());
  }

  /** Adds the parts of other statements. */
  public void addAll(JavaParts more) {
    functions.putAll(more.functions);
    versions.putAll(more.versions);
  }
}
