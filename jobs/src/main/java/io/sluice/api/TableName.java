package io.sluice.api;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.Problem;
import io.sluice.errors.SluiceException;
import io.sluice.sql.QualifiedName;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Names of tables, views and columns as the API takes them. */
final class TableName {

  private static final Pattern PART = Pattern.compile("\\G(?:`((?:[^`]|``)+)`|([^`.]+))(\\.|$)");

  private TableName() {}

  /**
   * A name of parts that dots separate; a part with a dot or back-quote stands in back-quotes.
   *
   * @throws SluiceException INVALID_NAME if it is none
   */
  static QualifiedName parse(String name) {
    List<String> parts = new ArrayList<>();
    Matcher matcher = PART.matcher(name);
    int end = 0;
    boolean more = true;
    while (more && matcher.find()) {
      parts.add(
          matcher.group(1) == null
              ? matcher.group(2).strip()
              : matcher.group(1).replace("``", "`"));
      end = matcher.end();
      more = matcher.group(3).equals(".");
    }
    if (more || end != name.length() || parts.stream().anyMatch(String::isEmpty)) {
      throw new SluiceException(
          Problem.at(
              CallSite.here(),
              ErrorCode.INVALID_NAME,
              "'" + name + "' is no name",
              "Write table, namespace.table or catalog.namespace.table"));
    }
    return new QualifiedName(parts);
  }

  static String quote(String column) {
    return QualifiedName.of(column).quoted();
  }
}
