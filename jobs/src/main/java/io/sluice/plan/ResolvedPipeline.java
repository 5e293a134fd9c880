package io.sluice.plan;

import io.sluice.pipeline.Pipeline;
import java.util.List;

/**
 * A pipeline that may run: every source, column and rule is checked.
 *
 * @param pipeline the definition
 * @param levels its targets; those of one level do not read each other
 * @param notices what the user should know, in order
 */
public record ResolvedPipeline(
    Pipeline pipeline, List<List<ResolvedTarget>> levels, List<String> notices) {

  public ResolvedPipeline {
    levels = levels.stream().map(List::copyOf).toList();
    notices = List.copyOf(notices);
  }
}
