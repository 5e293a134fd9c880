package io.sluice.sql;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Tells CREATE TABLE in our form from Flink's. */
final class OwnTables {

  private OwnTables() {}

  /** Whether it creates a table that Flink's parser does not know: TBLPROPERTIES, or OR REPLACE. */
  static boolean isOwn(List<SqlToken> tokens) {
    int i = 1;
    boolean replaces = tokens.size() > 4 && tokens.get(1).is("OR");
    i += replaces ? 2 : 0;
    if (tokens.size() <= i + 1 || !tokens.get(0).is("CREATE") || !tokens.get(i).is("TABLE")) {
      return false;
    }
    boolean flink =
        tokens.stream().anyMatch(token -> token.isOneOf(Set.of("WITH", "LIKE", "WATERMARK")));
    boolean properties = tokens.stream().anyMatch(token -> token.is("TBLPROPERTIES"));
    return properties || replaces && !flink;
  }

  /** The FLOW of a CREATE TABLE that AUTO CDC should keep; only streaming tables can. */
  static Optional<SqlToken> changeFlow(List<SqlToken> tokens) {
    int table = tokens.size() > 3 && tokens.get(1).is("OR") ? 3 : 1;
    if (tokens.size() <= table || !tokens.get(0).is("CREATE") || !tokens.get(table).is("TABLE")) {
      return Optional.empty();
    }
    for (int i = table + 1; i + 1 < tokens.size(); i++) {
      if (tokens.get(i).is("FLOW") && tokens.get(i + 1).isOneOf(Set.of("AUTO", "APPLY"))) {
        return Optional.of(tokens.get(i));
      }
    }
    return Optional.empty();
  }
}
