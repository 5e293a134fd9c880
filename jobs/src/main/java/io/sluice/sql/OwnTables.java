package io.sluice.sql;

import java.util.List;
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
}
