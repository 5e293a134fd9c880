package io.sluice.sql;

import java.util.List;

/**
 * The statements of one pipeline file.
 *
 * @param fileName the file as the user named it
 * @param statements in the order of the file
 */
public record ParsedPipeline(String fileName, List<Statement> statements) {

  public ParsedPipeline {
    statements = List.copyOf(statements);
  }
}
