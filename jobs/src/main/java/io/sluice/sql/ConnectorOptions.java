package io.sluice.sql;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The options of a table in Flink's own form: {@code WITH ('connector' = 'kafka', ..)}. */
final class ConnectorOptions {

  private ConnectorOptions() {}

  /** The options by key; without them, or where anything about them is wrong, none: Flink tells. */
  static Map<String, String> of(List<SqlToken> statement) {
    TokenTree tree = TokenTree.of(statement, new ArrayList<>());
    Map<String, String> options = new LinkedHashMap<>();
    for (int i = 0; i < tree.size(); i++) {
      boolean begins = tree.enclosing(i) < 0 && tree.keyword(i, "WITH") && tree.symbol(i + 1, "(");
      if (!begins || tree.match(i + 1) < 0) {
        continue;
      }
      for (TokenTree.Range option : tree.split(new TokenTree.Range(i + 2, tree.match(i + 1)))) {
        int key = option.from();
        if (option.size() == 3
            && tree.text(key)
            && tree.symbol(key + 1, "=")
            && tree.text(key + 2)) {
          options.put(tree.token(key).content(), tree.token(key + 2).content());
        }
      }
    }
    return options;
  }
}
