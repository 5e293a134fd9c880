package io.sluice.faults;

import java.util.Random;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.exceptions.CommitStateUnknownException;

/** A catalog in which commits fail, fail for show, or leave it open. */
final class UnreliableCatalog implements ScriptedCatalog.Script {

  private final Random random;

  UnreliableCatalog(long seed) {
    this.random = new Random(seed);
  }

  private synchronized int roll() {
    return random.nextInt(12);
  }

  @Override
  public void commit(TableIdentifier table, Runnable commit) {
    switch (roll()) {
      case 0 -> throw new CommitFailedException("scripted refusal");
      case 1 -> throw new CommitStateUnknownException(new RuntimeException("scripted silence"));
      case 2 -> {
        commit.run();
        throw new CommitStateUnknownException(new RuntimeException("scripted silence"));
      }
      case 3 -> {
        commit.run();
        throw new CommitFailedException("scripted refusal of a commit that landed");
      }
      case 4 -> {
        commit.run();
        throw new IllegalStateException("scripted: connection reset");
      }
      case 5 -> throw new IllegalStateException("scripted: connection refused");
      default -> commit.run();
    }
  }
}
