package io.sluice.table;

import java.util.ArrayDeque;
import java.util.Deque;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.HasTableOperations;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableOperations;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.exceptions.CommitStateUnknownException;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.LocationProvider;

/** A catalog that misbehaves in a scripted way, one step per commit, then works. */
final class FaultyOperations implements TableOperations {

  /** What happens at a commit. */
  interface Step {
    void commit(TableOperations real, TableMetadata base, TableMetadata updated);
  }

  static final Step REFUSED =
      (real, base, updated) -> {
        throw new CommitFailedException("scripted refusal");
      };
  static final Step LANDED_BUT_REFUSED =
      (real, base, updated) -> {
        real.commit(base, updated);
        throw new CommitFailedException("scripted refusal of a commit that landed");
      };
  static final Step LANDED_BUT_UNKNOWN =
      (real, base, updated) -> {
        real.commit(base, updated);
        throw new CommitStateUnknownException(new RuntimeException("scripted: no answer"));
      };
  static final Step LOST_AND_UNKNOWN =
      (real, base, updated) -> {
        throw new CommitStateUnknownException(new RuntimeException("scripted: no answer"));
      };
  static final Step LOST_WITH_ODD_ERROR =
      (real, base, updated) -> {
        throw new IllegalArgumentException("scripted: connection reset");
      };

  private final TableOperations real;
  private final Deque<Step> steps = new ArrayDeque<>();

  private FaultyOperations(TableOperations real) {
    this.real = real;
  }

  static Table table(Table table, Step... steps) {
    FaultyOperations operations = new FaultyOperations(((HasTableOperations) table).operations());
    operations.steps.addAll(java.util.List.of(steps));
    return new BaseTable(operations, table.name());
  }

  /** Another writer commits first, then this commit is tried as usual. */
  static Step after(Runnable other) {
    return (real, base, updated) -> {
      other.run();
      real.commit(base, updated);
    };
  }

  @Override
  public TableMetadata current() {
    return real.current();
  }

  @Override
  public TableMetadata refresh() {
    return real.refresh();
  }

  @Override
  public void commit(TableMetadata base, TableMetadata updated) {
    Step step = steps.poll();
    if (step == null) {
      real.commit(base, updated);
    } else {
      step.commit(real, base, updated);
    }
  }

  @Override
  public FileIO io() {
    return real.io();
  }

  @Override
  public String metadataFileLocation(String fileName) {
    return real.metadataFileLocation(fileName);
  }

  @Override
  public LocationProvider locationProvider() {
    return real.locationProvider();
  }
}
