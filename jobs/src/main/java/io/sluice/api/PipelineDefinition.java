package io.sluice.api;

import io.sluice.catalog.CatalogConnection;
import io.sluice.errors.ErrorCode;
import io.sluice.errors.Problem;
import io.sluice.errors.SluiceException;
import io.sluice.pipeline.JavaParts;
import io.sluice.pipeline.Pipeline;
import io.sluice.pipeline.PipelineBuilder;
import io.sluice.pipeline.Settings;
import io.sluice.sql.ParsedPipeline;
import io.sluice.sql.PipelineParser;
import io.sluice.sql.Statement;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A pipeline declared in Java: tables, views and flows, in the order of the calls, beside
 * statements of pipeline files. The later declared flow wins a tie (semantics 0.2).
 *
 * <pre>{@code
 * PipelineDefinition pipeline = PipelineDefinition.named("shop");
 * pipeline.streamingTable("orders");
 * pipeline
 *     .autoCdcFlow("orders_changes")
 *     .into("orders")
 *     .from(Source.files("feed/*.json").format("json"))
 *     .keys("order_id")
 *     .sequenceBy("changed_at");
 * }</pre>
 *
 * <p>What is wrong with it is told when it is built, all at once, with the line of the program.
 */
public final class PipelineDefinition {

  private final String name;
  private final Map<String, String> settings = new LinkedHashMap<>();
  private final List<Declaration> declarations = new ArrayList<>();

  private PipelineDefinition(String name) {
    this.name = name;
  }

  /** An empty pipeline; its name is kept in the ledgers of its tables. */
  public static PipelineDefinition named(String name) {
    return new PipelineDefinition(name);
  }

  /** A setting of Sluice or Flink, or a variable of SQL statements; the last value counts. */
  public PipelineDefinition set(String key, String value) {
    settings.put(key, value);
    return this;
  }

  /** Declares a streaming table. */
  public StreamingTableDefinition streamingTable(String table) {
    return added(new StreamingTableDefinition(table));
  }

  /** Declares a view. */
  public ViewDefinition view(String view) {
    return added(new ViewDefinition(view));
  }

  /** Declares a flow that appends to a table. */
  public AppendFlowDefinition appendFlow(String flow) {
    return added(new AppendFlowDefinition(flow));
  }

  /** Declares a flow that applies a change feed to a table. */
  public AutoCdcFlowDefinition autoCdcFlow(String flow) {
    return added(new AutoCdcFlowDefinition(flow));
  }

  /** Declares a flow that applies whole states of a source to a table. */
  public SnapshotFlowDefinition autoCdcFromSnapshotFlow(String flow) {
    return added(new SnapshotFlowDefinition(flow));
  }

  /** Statements of a pipeline file, which stand here in the order of declarations. */
  public PipelineDefinition sql(String statements) {
    return sql("<sql>", statements);
  }

  /**
   * The statements of a pipeline file.
   *
   * @throws UncheckedIOException if the file cannot be read
   */
  public PipelineDefinition sql(Path file) {
    try {
      return sql(file.toString(), Files.readString(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private PipelineDefinition sql(String fileName, String text) {
    added(
        new Declaration() {
          @Override
          void declare(Declared into) {
            PipelineParser.parse(fileName, text, settings, System.getenv())
                .statements()
                .forEach(into::add);
          }
        });
    return this;
  }

  private <D extends Declaration> D added(D declaration) {
    declarations.add(declaration);
    return declaration;
  }

  /**
   * The checked model, the same as that of a pipeline file.
   *
   * @throws SluiceException with every problem found
   */
  public Pipeline build(CatalogConnection connection) {
    List<Problem> problems = new ArrayList<>();
    List<Statement> statements = new ArrayList<>();
    JavaParts java = new JavaParts();
    for (Declaration declaration : declarations) {
      Declaration.Declared declared = new Declaration.Declared();
      try {
        declaration.declare(declared);
        statements.addAll(declared.statements());
        java.addAll(declared.java());
      } catch (SluiceException e) {
        problems.addAll(e.problems());
      }
    }
    if (problems.isEmpty() && statements.isEmpty()) {
      problems.add(
          Problem.of(
              ErrorCode.INVALID_CALL,
              "the pipeline '" + name + "' declares nothing",
              "Declare a table with streamingTable(..)"));
    }
    if (!problems.isEmpty()) {
      throw new SluiceException(problems);
    }
    Map<String, String> all = new LinkedHashMap<>(settings);
    all.putIfAbsent(Settings.PIPELINE, name);
    return PipelineBuilder.build(
        new ParsedPipeline(name, statements),
        java,
        all,
        connection.config().name(),
        connection.config().defaultNamespace());
  }
}
