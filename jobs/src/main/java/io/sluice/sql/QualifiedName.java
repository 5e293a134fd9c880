package io.sluice.sql;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * A name of one, two or three parts: table, namespace.table, catalog.namespace.table. Two names are
 * equal if their parts are equal ignoring case (semantics section 19).
 *
 * @param parts at least one, without back-quotes, spelled as in the file
 */
public record QualifiedName(List<String> parts) {

  public QualifiedName {
    parts = List.copyOf(parts);
    if (parts.isEmpty()) {
      throw new IllegalArgumentException("a name needs at least one part");
    }
  }

  public static QualifiedName of(String... parts) {
    return new QualifiedName(List.of(parts));
  }

  /** The name proper, without namespace and catalog. */
  public String last() {
    return parts.get(parts.size() - 1);
  }

  /** Every part back-quoted, as Flink SQL takes it. */
  public String quoted() {
    return parts.stream().map(SqlToken::backQuote).collect(Collectors.joining("."));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof QualifiedName that && folded().equals(that.folded());
  }

  @Override
  public int hashCode() {
    return folded().hashCode();
  }

  /** Parts joined by dots; a part that is no plain word is back-quoted. */
  @Override
  public String toString() {
    return parts.stream()
        .map(part -> SqlToken.isPlainName(part) ? part : SqlToken.backQuote(part))
        .collect(Collectors.joining("."));
  }

  private List<String> folded() {
    return parts.stream().map(part -> part.toLowerCase(Locale.ROOT)).toList();
  }
}
