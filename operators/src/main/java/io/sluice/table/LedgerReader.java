package io.sluice.table;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.SluiceException;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.iceberg.HasTableOperations;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableMetadata.MetadataLogEntry;
import org.apache.iceberg.TableMetadataParser;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the ledger of a table. Where snapshots are expired, the table's older metadata files still
 * tell how the survivors hang together; only where these are gone, too, the mirror has to be named
 * by a survivor as its parent.
 */
final class LedgerReader {

  private static final Logger LOG = LoggerFactory.getLogger(LedgerReader.class);

  private final Table table;
  private final Map<Long, Snapshot> known = new HashMap<>();
  private final Iterator<MetadataLogEntry> olderMetadata;

  private LedgerReader(Table table) {
    this.table = table;
    table.snapshots().forEach(snapshot -> known.put(snapshot.snapshotId(), snapshot));
    TableMetadata metadata = ((HasTableOperations) table).operations().current();
    List<MetadataLogEntry> log = new java.util.ArrayList<>(metadata.previousFiles());
    java.util.Collections.reverse(log);
    this.olderMetadata = log.iterator();
  }

  static Optional<Ledger.Found> read(Table table) {
    Snapshot current = table.currentSnapshot();
    if (current == null) {
      return Optional.empty();
    }
    return new LedgerReader(table).from(current);
  }

  private Optional<Ledger.Found> from(Snapshot head) {
    Snapshot snapshot = head;
    while (true) {
      Optional<Ledger> ledger = Ledger.fromSummary(snapshot.summary());
      if (ledger.isPresent()) {
        return Optional.of(new Ledger.Found(ledger.get(), snapshot.snapshotId()));
      }
      if (snapshot.parentId() == null) {
        return Optional.empty();
      }
      long parent = snapshot.parentId();
      Snapshot next = known.get(parent);
      if (next == null) {
        Optional<LedgerMirror> mirror = LedgerMirror.of(table);
        if (mirror.isEmpty()) {
          return Optional.empty();
        }
        if (mirror.get().snapshotId() == parent) {
          return Optional.of(new Ledger.Found(mirror.get().ledger(), parent));
        }
        next = expired(parent);
        if (next == null) {
          throw lost(mirror.get().snapshotId(), snapshot);
        }
      }
      snapshot = next;
    }
  }

  private Snapshot expired(long snapshotId) {
    while (!known.containsKey(snapshotId) && olderMetadata.hasNext()) {
      String file = olderMetadata.next().file();
      try {
        TableMetadataParser.read(table.io(), file)
            .snapshots()
            .forEach(snapshot -> known.putIfAbsent(snapshot.snapshotId(), snapshot));
      } catch (RuntimeException e) {
        LOG.info("Cannot read the older metadata {} of table {}", file, table.name(), e);
      }
    }
    return known.get(snapshotId);
  }

  private SluiceException lost(long mirrored, Snapshot oldest) {
    return new SluiceException(
        ErrorCode.LEDGER_CORRUPT,
        "the snapshots of table "
            + table.name()
            + " that carried the ledger are expired, and it cannot be told whether snapshot "
            + mirrored
            + ", whose ledger is kept in the property "
            + LedgerMirror.PROPERTY
            + ", is an ancestor of the oldest one left, "
            + oldest.snapshotId(),
        "Roll the table back to a snapshot of Sluice, or run the target with --full-refresh");
  }
}
