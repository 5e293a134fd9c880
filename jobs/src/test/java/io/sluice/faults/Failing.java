package io.sluice.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.errors.Problem;
import io.sluice.errors.SluiceException;
import io.sluice.run.UpdateResult;
import io.sluice.run.Workbench;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/** Updates that are expected to fail, and what their problems must look like. */
final class Failing {

  /** Class names, exception names and frames belong into the log, not into a message. */
  private static final Pattern JAVA =
      Pattern.compile(
          "Exception|\\b(java|javax|org|com|sun|jdk)\\.[a-z]+\\.|\\bat [a-z]+\\.[a-z]+\\.|\\.java:|(?<!')\\bnull\\b(?!')");

  private Failing() {}

  /** The problems of an update that fails, each of them clear. */
  static List<Problem> update(Workbench bench, String sql) {
    return problems(() -> bench.update(sql));
  }

  /** The same with settings. */
  static List<Problem> update(Workbench bench, String sql, Map<String, String> settings) {
    return problems(() -> bench.update(sql, settings, options -> options));
  }

  /** The only problem of an update that fails. */
  static Problem onlyProblem(Workbench bench, String sql) {
    List<Problem> problems = update(bench, sql);
    assertThat(problems).hasSize(1);
    return problems.get(0);
  }

  /** The problems of a call that fails, thrown or reported per table. */
  static List<Problem> problems(Supplier<UpdateResult> call) {
    List<Problem> problems = new ArrayList<>();
    try {
      call.get().failures().values().forEach(problems::addAll);
    } catch (SluiceException e) {
      problems.addAll(e.problems());
    }
    assertThat(problems).as("problems of an update that must fail").isNotEmpty();
    problems.forEach(Failing::requireClear);
    return problems;
  }

  /** Says what is wrong and what to do, in words that are not Java's. */
  static void requireClear(Problem problem) {
    assertThat(problem.message()).isNotBlank().doesNotContainPattern(JAVA);
    assertThat(problem.remedy()).as("remedy of " + problem.message()).isNotBlank();
    assertThat(problem.remedy()).doesNotContainPattern(JAVA);
  }
}
