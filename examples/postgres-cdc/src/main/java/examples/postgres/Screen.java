package examples.postgres;

import java.io.PrintStream;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Prints tables side by side, as {@code sluice query} does one. */
final class Screen {

  private final PrintStream out;

  Screen(PrintStream out) {
    this.out = out;
  }

  void heading(String text) {
    out.println();
    out.println("== " + text + " ==");
  }

  /** Prints rows below the names of their columns. */
  void table(List<String> columns, List<List<String>> rows) {
    int[] widths =
        IntStream.range(0, columns.size())
            .map(
                i ->
                    Math.max(
                        columns.get(i).length(),
                        rows.stream().mapToInt(row -> row.get(i).length()).max().orElse(0)))
            .toArray();
    line(columns, widths);
    line(IntStream.of(widths).mapToObj("-"::repeat).toList(), widths);
    rows.forEach(row -> line(row, widths));
  }

  private void line(List<String> values, int[] widths) {
    out.println(
        IntStream.range(0, widths.length)
            .mapToObj(i -> String.format("%-" + widths[i] + "s", values.get(i)))
            .collect(Collectors.joining("  "))
            .stripTrailing());
  }
}
