package io.sluice.table;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.StreamSupport;
import org.apache.iceberg.CatalogUtil;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.ManifestFiles;
import org.apache.iceberg.ManifestReader;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotRef;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.util.PropertyUtil;
import org.apache.iceberg.util.SnapshotUtil;

/**
 * Expires snapshots of a table of Sluice, with the files that only they need. Never goes the
 * snapshot that carries the newest ledger, nor a later one, nor one with a tag.
 */
public final class SnapshotExpiry {

  private SnapshotExpiry() {}

  /**
   * Which snapshots stay, whatever else holds them.
   *
   * @param maxAge those that are younger
   * @param minSnapshots so many of the newest, at least 1
   */
  public record Rule(Duration maxAge, int minSnapshots) {

    /** For tables that get a commit every few seconds. */
    public static final Rule CONTINUOUS = new Rule(Duration.ofHours(1), 100);

    /** Iceberg's own. */
    public static final Rule ICEBERG =
        new Rule(
            Duration.ofMillis(TableProperties.MAX_SNAPSHOT_AGE_MS_DEFAULT),
            TableProperties.MIN_SNAPSHOTS_TO_KEEP_DEFAULT);

    /** This rule as the properties of a table change it. */
    public Rule of(Table table) {
      Map<String, String> properties = table.properties();
      return new Rule(
          Duration.ofMillis(
              PropertyUtil.propertyAsLong(
                  properties, TableProperties.MAX_SNAPSHOT_AGE_MS, maxAge.toMillis())),
          PropertyUtil.propertyAsInt(
              properties, TableProperties.MIN_SNAPSHOTS_TO_KEEP, minSnapshots));
    }

    /** This rule with another age. */
    public Rule withMaxAge(Duration age) {
      return new Rule(age, minSnapshots);
    }
  }

  /** Whether files of the table may be removed at all ({@code gc.enabled}). */
  public static boolean isAllowed(Table table) {
    return PropertyUtil.propertyAsBoolean(
        table.properties(), TableProperties.GC_ENABLED, TableProperties.GC_ENABLED_DEFAULT);
  }

  /**
   * Expires what the rule does not keep. The table object is refreshed.
   *
   * @param from snapshots that somebody goes on from: they stay, and so does all that came later
   * @return how many snapshots went
   * @throws io.sluice.errors.SluiceException LEDGER_CORRUPT if the table's ledger cannot be read
   */
  public static int expire(Table table, Rule rule, Collection<Long> from) {
    table.refresh();
    if (table.currentSnapshot() == null || !isAllowed(table)) {
      return 0;
    }
    long olderThan = olderThan(table, rule, from);
    int before = count(table);
    if (before <= rule.minSnapshots() || !isAnyOlder(table, olderThan)) {
      return 0;
    }
    Set<String> needed = deleteFilesOf(oldestToStay(table, rule, olderThan), table);
    List<String> dead = Collections.synchronizedList(new ArrayList<>());
    table
        .expireSnapshots()
        .expireOlderThan(olderThan)
        .retainLast(rule.minSnapshots())
        .deleteWith(
            file -> {
              if (!needed.contains(file)) {
                dead.add(file);
              }
            })
        .commit();
    CatalogUtil.deleteFiles(table.io(), dead, "expired", true);
    table.refresh();
    return Math.max(0, before - count(table));
  }

  /** The last ancestor that the rule keeps, counted as Iceberg does. */
  private static Snapshot oldestToStay(Table table, Rule rule, long olderThan) {
    Snapshot oldest = table.currentSnapshot();
    int stay = 0;
    for (Snapshot snapshot : SnapshotUtil.currentAncestors(table)) {
      if (stay >= rule.minSnapshots() && snapshot.timestampMillis() < olderThan) {
        break;
      }
      oldest = snapshot;
      stay++;
    }
    return oldest;
  }

  /**
   * The live delete files of the oldest snapshot that stays. One Puffin file holds the deletion
   * vectors of many data files; Iceberg's clean-up takes it for dead as soon as one of them is
   * replaced. Whatever the file still holds for a later snapshot it holds for this one, too.
   */
  private static Set<String> deleteFilesOf(Snapshot snapshot, Table table) {
    Set<String> files = new HashSet<>();
    for (ManifestFile manifest : snapshot.deleteManifests(table.io())) {
      try (ManifestReader<DeleteFile> deletes =
          ManifestFiles.readDeleteManifest(manifest, table.io(), table.specs())) {
        deletes.forEach(delete -> files.add(delete.location()));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return files;
  }

  /** The age rule moved back to the oldest snapshot that somebody needs. */
  private static long olderThan(Table table, Rule rule, Collection<Long> from) {
    Set<Long> needed = new HashSet<>(from);
    Ledger.read(table).ifPresent(found -> needed.add(found.snapshotId()));
    long olderThan = System.currentTimeMillis() - rule.maxAge().toMillis();
    long oldestOnTheWay = Long.MAX_VALUE;
    for (Snapshot snapshot : SnapshotUtil.currentAncestors(table)) {
      oldestOnTheWay = Math.min(oldestOnTheWay, snapshot.timestampMillis());
      if (needed.remove(snapshot.snapshotId())) {
        olderThan = Math.min(olderThan, oldestOnTheWay);
      }
    }
    for (long elsewhere : needed) {
      Snapshot snapshot = table.snapshot(elsewhere);
      if (snapshot != null) {
        olderThan = Math.min(olderThan, snapshot.timestampMillis());
      }
    }
    return olderThan;
  }

  private static boolean isAnyOlder(Table table, long olderThan) {
    Set<Long> named = new HashSet<>();
    for (SnapshotRef ref : table.refs().values()) {
      named.add(ref.snapshotId());
    }
    return StreamSupport.stream(table.snapshots().spliterator(), false)
        .anyMatch(
            snapshot ->
                snapshot.timestampMillis() < olderThan && !named.contains(snapshot.snapshotId()));
  }

  private static int count(Table table) {
    return (int) StreamSupport.stream(table.snapshots().spliterator(), false).count();
  }
}
