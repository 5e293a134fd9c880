package io.sluice.cli;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.apache.flink.streaming.api.environment.LocalStreamEnvironment;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * Where the command line writes and what surrounds it.
 *
 * @param out results
 * @param err messages and errors
 * @param environment environment variables
 * @param terminal whether a person watches standard error
 */
public record Console(
    PrintWriter out, PrintWriter err, Map<String, String> environment, boolean terminal) {

  /** The console of this process. */
  static Console ofProcess() {
    return new Console(
        new PrintWriter(System.out, true, StandardCharsets.UTF_8),
        new PrintWriter(System.err, true, StandardCharsets.UTF_8),
        System.getenv(),
        System.console() != null && System.getenv("TERM") != null);
  }

  /** Whether Flink's client runs this program, which must not end its process. */
  static boolean isInsideFlinkClient() {
    return !(StreamExecutionEnvironment.getExecutionEnvironment()
        instanceof LocalStreamEnvironment);
  }
}
