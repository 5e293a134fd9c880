package io.sluice.pipeline;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.Problem;
import io.sluice.sql.QualifiedName;
import io.sluice.sql.Query;
import io.sluice.sql.SourceReference;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Which tables and views of a pipeline read which others. */
final class Graph {

  private final Pipeline pipeline;
  private final Map<QualifiedName, Set<QualifiedName>> reads;

  private Graph(Pipeline pipeline, Map<QualifiedName, Set<QualifiedName>> reads) {
    this.pipeline = pipeline;
    this.reads = reads;
  }

  static Graph of(Pipeline pipeline) {
    Map<QualifiedName, Set<QualifiedName>> reads = new LinkedHashMap<>();
    pipeline.tables().forEach(table -> reads.put(table.name(), new LinkedHashSet<>()));
    pipeline.views().forEach(view -> reads.put(view.name(), namesIn(view.query(), view.scope())));
    pipeline
        .flows()
        .forEach(
            flow -> {
              Set<QualifiedName> names =
                  reads.computeIfAbsent(flow.target(), name -> new LinkedHashSet<>());
              flow.queries().forEach(query -> names.addAll(namesIn(query, flow.scope())));
            });
    return new Graph(pipeline, reads);
  }

  private static Set<QualifiedName> namesIn(Query query, NameScope scope) {
    Set<QualifiedName> names = new LinkedHashSet<>();
    for (SourceReference source : query.sources()) {
      if (source instanceof SourceReference.TableReference table) {
        names.add(scope.full(table.name()));
      } else if (source instanceof SourceReference.FunctionReference function) {
        function.arguments().stream()
            .flatMap(argument -> argument.table().stream())
            .forEach(table -> names.add(scope.full(table.name())));
      }
    }
    return names;
  }

  /** A problem for every circle, at the statement of its first member. */
  List<Problem> cycles() {
    List<Problem> problems = new ArrayList<>();
    Set<QualifiedName> done = new LinkedHashSet<>();
    for (QualifiedName start : reads.keySet()) {
      findCycle(start, new ArrayList<>(), done)
          .ifPresent(
              circle ->
                  problems.add(
                      Problem.at(
                          pipeline
                              .table(circle.get(0))
                              .map(TargetTable::at)
                              .or(() -> pipeline.view(circle.get(0)).map(View::at))
                              .orElse(null),
                          ErrorCode.DEPENDENCY_CYCLE,
                          "these read each other in a circle: "
                              + circle.stream()
                                  .map(QualifiedName::toString)
                                  .collect(Collectors.joining(" -> ")),
                          "Break the circle, for example with a table of its own")));
    }
    return problems;
  }

  private Optional<List<QualifiedName>> findCycle(
      QualifiedName at, List<QualifiedName> path, Set<QualifiedName> done) {
    if (path.contains(at)) {
      List<QualifiedName> circle = new ArrayList<>(path.subList(path.indexOf(at), path.size()));
      circle.add(at);
      done.addAll(circle);
      return Optional.of(circle);
    }
    if (done.contains(at) || !reads.containsKey(at)) {
      return Optional.empty();
    }
    path.add(at);
    for (QualifiedName next : reads.get(at)) {
      Optional<List<QualifiedName>> circle = findCycle(next, path, done);
      if (circle.isPresent()) {
        return circle;
      }
    }
    path.remove(path.size() - 1);
    done.add(at);
    return Optional.empty();
  }

  /** The views that a query reads, directly or through others; tables end the search. */
  static Set<View> viewsOf(Pipeline pipeline, Query query, NameScope scope) {
    Set<View> found = new LinkedHashSet<>();
    addViews(pipeline, namesIn(query, scope), found);
    return found;
  }

  private static void addViews(Pipeline pipeline, Set<QualifiedName> names, Set<View> found) {
    for (QualifiedName name : names) {
      Optional<View> view = pipeline.view(name);
      if (view.isPresent() && found.add(view.get())) {
        addViews(pipeline, namesIn(view.get().query(), view.get().scope()), found);
      }
    }
  }

  /** The tables of the pipeline that a table reads, directly or through views. */
  Set<TargetTable> upstream(TargetTable table) {
    return upstream(table.name(), new LinkedHashSet<>());
  }

  /** Length of the longest chain of tables that a table reads. Only for graphs without circles. */
  int depth(TargetTable table, Map<TargetTable, Integer> known) {
    Integer depth = known.get(table);
    if (depth == null) {
      depth = 0;
      for (TargetTable upstream : upstream(table)) {
        depth = Math.max(depth, depth(upstream, known) + 1);
      }
      known.put(table, depth);
    }
    return depth;
  }

  private Set<TargetTable> upstream(QualifiedName name, Set<TargetTable> found) {
    for (QualifiedName read : reads.getOrDefault(name, Set.of())) {
      Optional<TargetTable> table = pipeline.table(read);
      if (table.isPresent()) {
        found.add(table.get());
      } else {
        upstream(read, found);
      }
    }
    return found;
  }
}
