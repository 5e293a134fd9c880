package io.sluice.run;

import io.sluice.errors.Problem;
import io.sluice.errors.SluiceException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What an update did.
 *
 * @param targets the tables whose update finished, in the order of the file's levels
 * @param failures the tables whose update failed, with their problems
 * @param skipped tables that were not updated because one they read failed
 * @param notices what the user should know
 */
public record UpdateResult(
    List<TargetResult> targets,
    Map<String, List<Problem>> failures,
    List<String> skipped,
    List<String> notices) {

  public UpdateResult {
    targets = List.copyOf(targets);
    failures = Collections.unmodifiableMap(new LinkedHashMap<>(failures));
    skipped = List.copyOf(skipped);
    notices = List.copyOf(notices);
  }

  public boolean succeeded() {
    return failures.isEmpty();
  }

  /**
   * This result, for programs that go on only after a whole update.
   *
   * @throws SluiceException with the problems of all tables that failed
   */
  public UpdateResult orThrow() {
    if (!succeeded()) {
      throw new SluiceException(
          failures.entrySet().stream()
              .sorted(Map.Entry.comparingByKey())
              .flatMap(failure -> failure.getValue().stream())
              .toList());
    }
    return this;
  }
}
