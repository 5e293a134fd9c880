package io.sluice.api;

import io.sluice.errors.SourceLocation;
import io.sluice.sql.Constraint;
import io.sluice.sql.Constraint.Violation;
import io.sluice.sql.Identifier;
import io.sluice.sql.SqlExpression;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A table or view, whose rows may have expectations (semantics 2.7). A condition is SQL on the
 * columns of the rows, or of the events, that come in; NULL violates it like FALSE.
 *
 * @param <T> the declaration itself
 */
public abstract class DatasetDefinition<T extends DatasetDefinition<T>>
    extends ReadingDeclaration<T> {

  private record Expected(String name, String condition, Violation violation, SourceLocation at) {

    Constraint parse() {
      return new Constraint(
          at, new Identifier(at, name, true), SqlExpression.parse(condition, at), violation);
    }
  }

  private final List<Expected> expectations = new ArrayList<>();

  /** Rows that violate the condition are counted, and kept. */
  public T expect(String name, String condition) {
    return expect(name, condition, Violation.KEEP);
  }

  /** Rows that violate the condition are counted, and left out as if they had never been sent. */
  public T expectOrDrop(String name, String condition) {
    return expect(name, condition, Violation.DROP_ROW);
  }

  /** A row that violates the condition fails the update of the table before its commit. */
  public T expectOrFail(String name, String condition) {
    return expect(name, condition, Violation.FAIL_UPDATE);
  }

  /**
   * Several expectations like {@link #expect}.
   *
   * @param conditions by name
   */
  public T expectAll(Map<String, String> conditions) {
    return expect(conditions, Violation.KEEP);
  }

  /**
   * Several expectations like {@link #expectOrDrop}.
   *
   * @param conditions by name
   */
  public T expectAllOrDrop(Map<String, String> conditions) {
    return expect(conditions, Violation.DROP_ROW);
  }

  /**
   * Several expectations like {@link #expectOrFail}.
   *
   * @param conditions by name
   */
  public T expectAllOrFail(Map<String, String> conditions) {
    return expect(conditions, Violation.FAIL_UPDATE);
  }

  private T expect(Map<String, String> conditions, Violation violation) {
    // A loop, so that the call's place is that of the user's program and not one of the map's.
    for (Map.Entry<String, String> each : conditions.entrySet()) {
      expect(each.getKey(), each.getValue(), violation);
    }
    return self();
  }

  private T expect(String name, String condition, Violation violation) {
    expectations.add(new Expected(name, condition, violation, CallSite.here()));
    return self();
  }

  /**
   * The expectations in the order of their calls.
   *
   * @throws io.sluice.errors.SluiceException with what is wrong with the text of a condition
   */
  final List<Constraint> expectations() {
    return expectations.stream().map(Expected::parse).toList();
  }
}
