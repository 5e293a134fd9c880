package io.sluice.plan;

import io.sluice.catalog.CatalogConnection;
import io.sluice.errors.ErrorCode;
import io.sluice.errors.Problem;
import io.sluice.errors.SluiceException;
import io.sluice.errors.SourceLocation;
import io.sluice.files.FileEntry;
import io.sluice.files.FileListing;
import io.sluice.files.FileSchema;
import io.sluice.files.ReadFilesOptions;
import io.sluice.files.SchemaInference;
import io.sluice.pipeline.Flow;
import io.sluice.pipeline.NameScope;
import io.sluice.pipeline.Pipeline;
import io.sluice.pipeline.View;
import io.sluice.sql.Names;
import io.sluice.sql.QualifiedName;
import io.sluice.sql.Query;
import io.sluice.sql.SourceReference;
import io.sluice.sql.SourceReference.FunctionReference;
import io.sluice.sql.SourceReference.ReadFiles;
import io.sluice.sql.SourceReference.TableReference;
import io.sluice.table.TargetTables;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.flink.table.types.logical.RowType;
import org.apache.iceberg.flink.FlinkSchemaUtil;

/** Finds what the sources of a flow are, through views, and which columns they have. */
final class SourceResolver {

  private final CatalogConnection connection;
  private final FlinkSession session;
  private final Pipeline pipeline;
  private final Map<QualifiedName, RowType> targets;
  private final TopicResolver topics;

  /**
   * @param targets full row types of the pipeline's tables that were resolved before
   */
  SourceResolver(
      CatalogConnection connection,
      FlinkSession session,
      Pipeline pipeline,
      Map<QualifiedName, RowType> targets) {
    this.connection = connection;
    this.session = session;
    this.pipeline = pipeline;
    this.targets = targets;
    this.topics = new TopicResolver(pipeline);
  }

  /**
   * The sources of a flow's query by their references.
   *
   * @param position what the flow has read; empty for a new flow
   * @throws SluiceException with every problem found
   */
  Map<SourceReference, ResolvedSource> resolve(Flow flow, FlowPosition position) {
    return resolve(
        new Walk(flow, position), flow.query(), new Reading(false, flow.defining(), Map.of()));
  }

  /**
   * The sources of a snapshot or version query, which are read whole.
   *
   * @param versions the version functions that have a meaning in the query, with their columns
   * @throws SluiceException with every problem found
   */
  Map<SourceReference, ResolvedSource> resolveWhole(
      Flow flow, Query query, Map<String, RowType> versions) {
    return resolve(new Walk(flow, FlowPosition.START), query, new Reading(false, false, versions));
  }

  private Map<SourceReference, ResolvedSource> resolve(Walk walk, Query query, Reading reading) {
    walk(walk, query, walk.flow.scope(), reading);
    if (!walk.problems.isEmpty()) {
      throw new SluiceException(walk.problems);
    }
    TopicResolver.requireOneCluster(walk.flow, walk.found.values());
    return walk.found;
  }

  /** What one walk through a query and its views has found. */
  private static final class Walk {

    private final Flow flow;
    private final FlowPosition position;
    private final Map<SourceReference, ResolvedSource> found = new IdentityHashMap<>();
    private final List<Problem> problems = new ArrayList<>();

    Walk(Flow flow, FlowPosition position) {
      this.flow = flow;
      this.position = position;
    }
  }

  /**
   * What a query takes from where it stands.
   *
   * @param stream it is a view behind STREAM: its sources are read incrementally
   * @param defining it defines a streaming table: its files are read incrementally, its tables are
   *     not
   * @param versions the version functions that have a meaning in it, with their columns
   */
  private record Reading(boolean stream, boolean defining, Map<String, RowType> versions) {

    /** The same for a view in the query; only a projection or filter of one source passes it on. */
    Reading of(View view, TableReference reference) {
      boolean passesOn = view.isPlain();
      return new Reading(
          passesOn && (stream || reference.stream()), passesOn && defining, Map.of());
    }
  }

  private void walk(Walk walk, Query query, NameScope scope, Reading reading) {
    for (SourceReference reference : query.sources()) {
      try {
        requireWhole(walk.flow, reference);
        if (reference instanceof TableReference table) {
          named(walk, table, scope, reading);
        } else if (HistoryChanges.isCall(reference)) {
          HistoryChanges changes = HistoryChanges.of((FunctionReference) reference);
          if (!walk.flow.once() && (reference.stream() || reading.stream())) {
            throw changes.notIncremental(walk.flow.cdc().isPresent());
          }
          named(walk, changes.table(), scope, new Reading(false, false, Map.of()));
        } else if (reference instanceof ReadFiles files) {
          boolean stream = reading.stream() || reading.defining();
          walk.found.put(reference, files(walk.flow, files, stream, walk.position));
        } else if (TopicResolver.isCall(reference)) {
          boolean stream = reading.stream() || reading.defining();
          walk.found.put(reference, topics.call(walk.flow, (FunctionReference) reference, stream));
        } else if (reference instanceof FunctionReference function) {
          walk.found.put(reference, FunctionSources.resolve(function, reading.versions()));
        }
      } catch (SluiceException e) {
        e.problems().forEach(problem -> walk.problems.add(at(reference.at(), problem)));
      }
    }
  }

  private void named(Walk walk, TableReference table, NameScope scope, Reading reading) {
    Optional<View> view = pipeline.view(scope.full(table.name()));
    if (view.isPresent()) {
      walk(walk, view.get().query(), view.get().scope(), reading.of(view.get(), table));
    } else {
      walk.found.put(table, table(walk.flow, table, scope, reading.stream()));
    }
  }

  /** A snapshot states everything, so nothing of it may be read incrementally. */
  private static void requireWhole(Flow flow, SourceReference reference) {
    if (flow.snapshot().isPresent() && reference.stream()) {
      throw located(
          reference.at(),
          ErrorCode.AUTOCDC_INCOMPATIBLE_CLAUSES,
          "flow '" + flow.name() + "': STREAM cannot stand in a snapshot or version query",
          "Leave STREAM out: a snapshot is read whole");
    }
  }

  private static Problem at(SourceLocation where, Problem problem) {
    return problem.where() != null
        ? problem
        : Problem.at(where, problem.code(), problem.message(), problem.remedy());
  }

  private ResolvedSource files(
      Flow flow, ReadFiles reference, boolean stream, FlowPosition position) {
    Map<String, String> texts = new LinkedHashMap<>();
    reference.options().forEach((name, value) -> texts.put(name, value.text()));
    ReadFilesOptions options = ReadFilesOptions.of(reference.path(), texts);
    List<FileEntry> files = FileListing.list(options);
    String id = SourceIds.ofFiles(options);
    FlowPosition.OfFiles before = position.files(id);
    boolean streaming = !flow.once() && (reference.stream() || stream);
    FileSet known = streaming ? before.files() : FileSet.EMPTY;
    List<FileEntry> pending = files.stream().filter(file -> !known.contains(file)).toList();
    FileSchema schema = schema(options, pending, before.schema());
    return new ResolvedSource.Files(reference, id, streaming, options, schema, files, known);
  }

  /** Columns only ever grow: what a flow has seen keeps place and type (semantics 0.13). */
  private static FileSchema schema(
      ReadFilesOptions options, List<FileEntry> pending, Optional<FileSchema> before) {
    if (before.isEmpty()) {
      return SchemaInference.resolve(pending, options);
    }
    FileSchema previous = before.get();
    boolean nothingNew = pending.stream().allMatch(file -> file.size() == 0);
    if (nothingNew) {
      return options.schemaText().isEmpty()
          ? previous
          : FileSchema.widen(SchemaInference.resolve(pending, options), previous);
    }
    FileSchema now = SchemaInference.resolve(pending, options);
    if (options.schemaText().isPresent()) {
      return FileSchema.widen(now, previous);
    }
    return switch (options.mode()) {
      case ADD_NEW_COLUMNS -> FileSchema.widen(previous, now);
      case NONE, RESCUE -> previous;
      case FAIL_ON_NEW_COLUMNS -> {
        List<String> fresh = SchemaInference.newColumns(previous, now);
        if (!fresh.isEmpty()) {
          throw new SluiceException(
              ErrorCode.NEW_COLUMNS,
              "read_files('" + options.path() + "') has new columns " + fresh,
              "Use schemaEvolutionMode => 'addNewColumns' to take them over, or 'none'");
        }
        yield previous;
      }
    };
  }

  private ResolvedSource table(
      Flow flow, TableReference reference, NameScope scope, boolean stream) {
    if (!reference.withOptions().isEmpty()) {
      throw located(
          reference.at(),
          ErrorCode.NOT_SUPPORTED_YET,
          "WITH (" + String.join(", ", reference.withOptions().keySet()) + ") is not supported yet",
          "Read the table without options");
    }
    QualifiedName full = scope.full(reference.name());
    boolean streaming = !flow.once() && (reference.stream() || stream);
    RowType columns = targets.get(full);
    if (columns == null && full.parts().size() == 2) {
      columns =
          TargetTables.open(connection.catalog(), connection.identifier(full.parts()))
              .map(table -> FlinkSchemaUtil.convert(table.schema()))
              .orElse(null);
    }
    if (columns != null) {
      return new ResolvedSource.CatalogTable(
          reference, SourceIds.ofTable(full), streaming, full, columns);
    }
    Optional<RowType> flink = session.flinkTable(reference.name());
    if (flink.isEmpty()) {
      throw notFound(reference, full);
    }
    Optional<ResolvedSource> topic =
        topics.table(flow, reference, flink.get(), reference.stream() || stream);
    if (topic.isPresent()) {
      return topic.get();
    }
    if (reference.stream()) {
      throw located(
          reference.at(),
          ErrorCode.NOT_SUPPORTED_YET,
          "STREAM "
              + reference.name()
              + ": incremental reads of connector tables are not supported"
              + " yet",
          "Read a table with 'connector' = 'kafka', files with read_files or an Iceberg table of the"
              + " catalog");
    }
    return new ResolvedSource.FlinkTable(reference, "flink:" + full, reference.name(), flink.get());
  }

  private SluiceException notFound(TableReference reference, QualifiedName full) {
    List<String> known = new ArrayList<>();
    pipeline.tables().forEach(table -> known.add(table.name().last()));
    pipeline.views().forEach(view -> known.add(view.name().last()));
    known.addAll(session.tableNames(full.parts().get(full.parts().size() - 2)));
    return located(
        reference.at(),
        ErrorCode.TABLE_OR_VIEW_NOT_FOUND,
        "there is no table or view '" + reference.name() + "'",
        Names.nearest(reference.name().last(), known)
            .map(name -> "Did you mean '" + name + "'?")
            .orElse("Declare it in the file or create it in the catalog"));
  }

  private static SluiceException located(
      SourceLocation where, ErrorCode code, String message, String remedy) {
    return new SluiceException(Problem.at(where, code, message, remedy));
  }
}
