package io.sluice.api;

import io.sluice.errors.SourceLocation;
import io.sluice.pipeline.JavaParts;
import io.sluice.pipeline.SnapshotVersions;
import io.sluice.pipeline.ViewFunction;
import io.sluice.sql.CreateView;
import io.sluice.sql.FlowBody;
import io.sluice.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * Something that a {@link PipelineDefinition} declares; its statements are made when it is built.
 */
abstract class Declaration {

  private final SourceLocation at = CallSite.here();

  /** Statements, and what they have beside their text. */
  static final class Declared {

    private final List<Statement> statements = new ArrayList<>();
    private final JavaParts java = new JavaParts();

    void add(Statement statement) {
      statements.add(statement);
    }

    void add(CreateView view, ViewFunction function) {
      statements.add(view);
      java.functions().put(view, function);
    }

    void versions(FlowBody body, SnapshotVersions versions) {
      java.versions().put(body, versions);
    }

    List<Statement> statements() {
      return statements;
    }

    JavaParts java() {
      return java;
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
