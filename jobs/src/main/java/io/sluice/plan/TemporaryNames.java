package io.sluice.plan;

/** Names of the temporary views of one session; no user's table has such a name. */
final class TemporaryNames {

  private int next;

  /** A fresh quoted name that shows what it stands for. */
  String next(String hint) {
    return Sql.quote("sluice:" + next++ + ":" + hint);
  }
}
