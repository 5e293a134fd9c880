package io.sluice.api;

import io.sluice.pipeline.ViewFunction;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.apache.flink.table.api.Table;

/**
 * A declaration that reads something.
 *
 * @param <T> the declaration itself
 */
public abstract class ReadingDeclaration<T extends ReadingDeclaration<T>> extends Declaration {

  private Reading reading;
  private String comment;

  abstract T self();

  /** What it reads. */
  public T from(Source source) {
    reading = Reading.of(source);
    return self();
  }

  /** A query in the SQL of pipeline files. */
  public T from(String sql) {
    return from(Source.query(sql));
  }

  /**
   * A source whose rows go through Table API expressions. The records lose their place in the
   * source, by which ties are decided (semantics 0.2).
   *
   * @param transformation called whenever the flow is planned; see {@link ViewFunction}
   */
  public T from(Source source, UnaryOperator<Table> transformation) {
    reading = Reading.of(source, transformation);
    return self();
  }

  /**
   * Rows that Java makes of any number of sources, with Table API expressions or DataStreams.
   * Without a source the rows are read in full by every run, so that only a ONCE flow can read
   * them.
   *
   * @param function called whenever the flow is planned
   */
  public T from(List<Source> sources, ViewFunction function) {
    reading = Reading.of(sources, function);
    return self();
  }

  /** A comment for people. */
  public T comment(String text) {
    comment = text;
    return self();
  }

  final Optional<Reading> reading() {
    return Optional.ofNullable(reading);
  }

  final Optional<String> comment() {
    return Optional.ofNullable(comment);
  }
}
