package io.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * What a call of the command line gave.
 *
 * @param code the exit code
 * @param out what was printed to standard output
 * @param err what was printed to standard error
 */
record Outcome(int code, String out, String err) {

  /** Calls with the local catalog, its warehouse below a folder. */
  static Outcome of(Path folder, String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    Map<String, String> environment =
        Map.of("SLUICE_WAREHOUSE", folder.resolve("warehouse").toString());
    Console console =
        new Console(new PrintWriter(out, true), new PrintWriter(err, true), environment, false);
    int code = Sluice.execute(console, arguments);
    return new Outcome(code, out.toString(), err.toString());
  }

  /** The only error. */
  String error() {
    List<String> errors = err.lines().filter(line -> line.startsWith("error: ")).toList();
    assertThat(errors).as(err).hasSize(1);
    assertThat(err.lines().count()).as(err).isLessThanOrEqualTo(2);
    assertThat(err).doesNotContain("Exception", "\tat ", "java.", "org.apache");
    return errors.get(0);
  }
}
