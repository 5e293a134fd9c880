package io.sluice.api;

import io.sluice.errors.SourceLocation;
import io.sluice.pipeline.ViewFunction;
import io.sluice.sql.CreateView;
import io.sluice.sql.Statement;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/** Something that a {@link PipelineDefinition} declares; its statements are made when it is built. */
abstract class Declaration {

  private final SourceLocation at = CallSite.here();

  /** Statements, and the functions of the views among them. */
  static final class Declared {

    private final List<Statement> statements = new ArrayList<>();
    private final Map<CreateView, ViewFunction> functions = new IdentityHashMap<>();

    void add(Statement statement) {
      statements.add(statement);
    }

    void add(CreateView view, ViewFunction function) {
      statements.add(view);
      functions.put(view, function);
    }

    List<Statement> statements() {
      return statements;
    }

    Map<CreateView, ViewFunction> functions() {
      return functions;
    }
  }

  /** Where the user's program declared it. */
  final SourceLocation at() {
    return at;
  }

  /**
   * Adds its statements.
   *
   * @throws io.sluice.errors.SluiceException with every problem of its texts
   */
  abstract void declare(Declared into);
}
