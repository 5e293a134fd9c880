package io.sluice.api;

import io.sluice.sql.QualifiedName;

/** A view: a name for rows that flows of the pipeline read. */
public final class ViewDefinition extends DatasetDefinition<ViewDefinition> {

  private final QualifiedName name;

  ViewDefinition(String name) {
    this.name = TableName.parse(name);
  }

  @Override
  ViewDefinition self() {
    return this;
  }

  @Override
  void declare(Declared into) {
    reading()
        .orElseThrow(() -> Reading.nothing("the view '" + name + "'", at()))
        .declareView(name, expectations(), comment(), at(), into);
  }
}
