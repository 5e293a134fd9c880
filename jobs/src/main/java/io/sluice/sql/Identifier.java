package io.sluice.sql;

import io.sluice.errors.SourceLocation;

/**
 * A column or other simple name.
 *
 * @param at where it stands
 * @param text the name without back-quotes
 * @param quoted whether it was written in back-quotes
 */
public record Identifier(SourceLocation at, String text, boolean quoted) {

  @Override
  public String toString() {
    return text;
  }
}
