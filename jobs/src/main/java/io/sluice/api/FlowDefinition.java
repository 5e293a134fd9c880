package io.sluice.api;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.Problem;
import io.sluice.errors.SluiceException;
import io.sluice.sql.CreateFlow;
import io.sluice.sql.FlowBody;
import io.sluice.sql.QualifiedName;

/**
 * A flow into a streaming table.
 *
 * @param <T> the declaration itself
 */
public abstract class FlowDefinition<T extends FlowDefinition<T>> extends ReadingDeclaration<T> {

  private final String name;
  private QualifiedName target;
  private boolean once;

  FlowDefinition(String name) {
    this.name = name;
  }

  /** The table it writes, which the pipeline declares; by default the one with the flow's name. */
  public T into(String table) {
    target = TableName.parse(table);
    return self();
  }

  /** It runs in the first update after it was added, and never again (semantics 13.2). */
  public T once() {
    once = true;
    return self();
  }

  final String name() {
    return name;
  }

  final boolean isOnce() {
    return once;
  }

  final SluiceException missing(String what, String remedy) {
    return new SluiceException(
        Problem.at(at(), ErrorCode.SYNTAX, "flow '" + name + "' has no " + what, remedy));
  }

  final Reading requiredReading() {
    return reading().orElseThrow(() -> Reading.nothing("flow '" + name + "'", at()));
  }

  /** What it does to its target. */
  abstract FlowBody body(Declared into);

  @Override
  final void declare(Declared into) {
    FlowBody body = body(into);
    into.add(
        new CreateFlow(
            at(),
            at(),
            QualifiedName.of(name),
            comment(),
            false,
            false,
            at(),
            target == null ? TableName.parse(name) : target,
            body));
  }
}
