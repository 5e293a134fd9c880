package io.sluice.api;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.Problem;
import io.sluice.errors.SluiceException;
import io.sluice.errors.SourceLocation;
import io.sluice.pipeline.ViewFunction;
import io.sluice.sql.Constraint;
import io.sluice.sql.CreateView;
import io.sluice.sql.QualifiedName;
import io.sluice.sql.Query;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.apache.flink.table.api.Table;

/**
 * What a flow or view reads, and the Java that its rows go through.
 *
 * @param sources the sources in their order
 * @param function makes the rows; empty where they are those of the one source
 */
record Reading(List<Source> sources, Optional<ViewFunction> function) {

  static Reading of(Source source) {
    return new Reading(List.of(source), Optional.empty());
  }

  static Reading of(Source source, UnaryOperator<Table> transformation) {
    return new Reading(
        List.of(source), Optional.of(inputs -> transformation.apply(inputs.source())));
  }

  static Reading of(List<Source> sources, ViewFunction function) {
    return new Reading(List.copyOf(sources), Optional.of(function));
  }

  /** The error for a flow or view that reads nothing. */
  static SluiceException nothing(String what, SourceLocation at) {
    return new SluiceException(
        Problem.at(
            at, ErrorCode.SYNTAX, what + " reads nothing", "Give it a source with from(..)"));
  }

  /**
   * The query of a flow; views are declared for Java between its sources and its rows.
   *
   * @param base begin of the names of these views
   */
  Query query(String base, SourceLocation at, Declaration.Declared declared) {
    if (function.isEmpty()) {
      return Query.parse(sources.get(0).toSql(), at);
    }
    QualifiedName rows = QualifiedName.of(base + "__rows");
    declareView(rows, List.of(), Optional.empty(), at, declared);
    return Query.parse("SELECT * FROM " + rows.quoted(), at);
  }

  /** Declares a view that shows the rows. */
  void declareView(
      QualifiedName name,
      List<Constraint> expectations,
      Optional<String> comment,
      SourceLocation at,
      Declaration.Declared into) {
    if (function.isEmpty()) {
      into.add(view(name, expectations, comment, Query.parse(sources.get(0).toSql(), at), at));
      return;
    }
    List<QualifiedName> inputs = new ArrayList<>();
    for (Source source : sources) {
      QualifiedName input = QualifiedName.of(name.last() + "__source" + (inputs.size() + 1));
      into.add(view(input, List.of(), Optional.empty(), Query.parse(source.toSql(), at), at));
      inputs.add(input);
    }
    // The function gets every source of this query as a table; nothing else of it is looked at.
    String all =
        inputs.isEmpty()
            ? "VALUES (1)"
            : "SELECT * FROM "
                + inputs.stream().map(QualifiedName::quoted).collect(Collectors.joining(", "));
    into.add(view(name, expectations, comment, Query.parse(all, at), at), function.get());
  }

  private static CreateView view(
      QualifiedName name,
      List<Constraint> expectations,
      Optional<String> comment,
      Query query,
      SourceLocation at) {
    return new CreateView(at, at, name, true, List.of(), expectations, comment, query);
  }
}
