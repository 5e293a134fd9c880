package io.sluice.table;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.iceberg.ManageSnapshots;
import org.apache.iceberg.SnapshotRef;
import org.apache.iceberg.Table;

/**
 * The tags that keep a target as of the commits of its seeds (semantics 0.15): {@code
 * sluice-seed-<flow>} on the commit, {@code sluice-before-seed-<flow>} on what was there before, if
 * that was anything.
 */
public final class SeedTags {

  private static final String AFTER = "sluice-seed-";
  private static final String BEFORE = "sluice-before-seed-";

  private SeedTags() {}

  /**
   * What a seed gave the target: the difference of two snapshots.
   *
   * @param after its commit
   * @param before the snapshot before it; empty if the target was empty
   */
  public record Seed(long after, OptionalLong before) {}

  /** The seeds of a target, each commit once. */
  public static List<Seed> of(Table table) {
    Map<String, SnapshotRef> refs = new TreeMap<>(table.refs());
    Map<Long, Seed> seeds = new LinkedHashMap<>();
    refs.forEach(
        (name, ref) -> {
          if (ref.isTag() && name.startsWith(AFTER)) {
            SnapshotRef before = refs.get(BEFORE + name.substring(AFTER.length()));
            seeds.put(
                ref.snapshotId(),
                new Seed(
                    ref.snapshotId(),
                    before == null ? OptionalLong.empty() : OptionalLong.of(before.snapshotId())));
          }
        });
    return new ArrayList<>(seeds.values());
  }

  /**
   * Tags the commit of seeds.
   *
   * @param flows the seeds of the commit; may be none
   * @param before the snapshot that the commit follows; empty if the target was empty
   * @param replaceAll whether the commit replaces all rows, so that older tags mean nothing
   */
  public static CommitExtension tagging(
      Set<String> flows, OptionalLong before, boolean replaceAll) {
    return (transaction, snapshotId) -> {
      Map<String, Long> wanted = new TreeMap<>();
      for (String flow : flows) {
        wanted.put(AFTER + flow, snapshotId);
        before.ifPresent(id -> wanted.put(BEFORE + flow, id));
      }
      Set<String> present =
          transaction.table().refs().keySet().stream()
              .filter(name -> name.startsWith(AFTER) || name.startsWith(BEFORE))
              .collect(Collectors.toSet());
      List<String> obsolete =
          present.stream().filter(name -> replaceAll && !wanted.containsKey(name)).toList();
      if (wanted.isEmpty() && obsolete.isEmpty()) {
        return;
      }
      ManageSnapshots update = transaction.manageSnapshots();
      obsolete.forEach(update::removeTag);
      wanted.forEach(
          (name, id) -> {
            if (present.contains(name)) {
              update.replaceTag(name, id);
            } else {
              update.createTag(name, id);
            }
          });
      update.commit();
    };
  }
}
