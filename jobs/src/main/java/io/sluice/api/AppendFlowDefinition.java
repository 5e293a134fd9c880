package io.sluice.api;

import io.sluice.sql.FlowBody;

/** A flow that appends its rows by name (semantics 2.4). */
public final class AppendFlowDefinition extends FlowDefinition<AppendFlowDefinition> {

  AppendFlowDefinition(String name) {
    super(name);
  }

  @Override
  AppendFlowDefinition self() {
    return this;
  }

  @Override
  FlowBody body(Declared into) {
    return new FlowBody.Append(at(), isOnce(), true, requiredReading().query(name(), at(), into));
  }
}
