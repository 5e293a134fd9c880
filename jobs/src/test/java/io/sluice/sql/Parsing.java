package io.sluice.sql;

import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.errors.Problem;
import io.sluice.errors.SluiceException;
import java.util.List;
import java.util.Map;

/** Short ways to parse in tests. */
final class Parsing {

  private Parsing() {}

  static List<Statement> statements(String text) {
    return PipelineParser.parse("p.sql", text, Map.of(), Map.of()).statements();
  }

  static <T extends Statement> T statement(Class<T> type, String text) {
    List<Statement> statements = statements(text);
    if (statements.size() != 1) {
      throw new AssertionError("expected one statement, found " + statements);
    }
    return type.cast(statements.get(0));
  }

  static <T extends FlowBody> T flow(Class<T> type, String body) {
    return type.cast(statement(CreateFlow.class, "CREATE FLOW f AS " + body).body());
  }

  /** A change flow into t from STREAM s with the given clauses behind its keys and sequence. */
  static FlowBody.AutoCdc changes(String clauses) {
    return flow(
        FlowBody.AutoCdc.class,
        "AUTO CDC INTO t FROM STREAM s KEYS (id) SEQUENCE BY ts " + clauses);
  }

  static List<String> problems(String text) {
    return problems(text, Map.of());
  }

  static List<String> problems(String text, Map<String, String> setOptions) {
    SluiceException error =
        catchThrowableOfType(
            SluiceException.class, () -> PipelineParser.parse("p.sql", text, setOptions, Map.of()));
    if (error == null) {
      throw new AssertionError("no error in: " + text);
    }
    return error.problems().stream().map(Problem::toString).toList();
  }

  static String render(String query) {
    return Query.parse(query).render(Parsing::mark).text();
  }

  /** Stands for a source in rendered queries. */
  static String mark(SourceReference source) {
    String name;
    if (source instanceof SourceReference.TableReference table) {
      name = table.name().toString();
    } else if (source instanceof SourceReference.ReadFiles files) {
      name = files.path();
    } else {
      name = ((SourceReference.FunctionReference) source).name();
    }
    return (source.stream() ? "<stream " : "<") + name + ">";
  }
}
