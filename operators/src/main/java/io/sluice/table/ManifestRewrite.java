package io.sluice.table;

import java.util.List;
import java.util.UUID;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.exceptions.ValidationException;
import org.apache.iceberg.util.PropertyUtil;

/**
 * Puts many small manifests of data files together, and leaves out those of which no file is left:
 * every plan of a query has to look at them.
 */
public final class ManifestRewrite {

  /** So many small ones stay as they are. */
  private static final int MANY = 20;

  private ManifestRewrite() {}

  /**
   * Rewrites the manifests of a table if there are many small ones. The table object is refreshed.
   *
   * @return false if others were faster, so that another call is worth it
   */
  public static boolean rewrite(Table table) {
    table.refresh();
    long small =
        PropertyUtil.propertyAsLong(
                table.properties(),
                TableProperties.MANIFEST_TARGET_SIZE_BYTES,
                TableProperties.MANIFEST_TARGET_SIZE_BYTES_DEFAULT)
            / 2;
    List<ManifestFile> manifests =
        table.currentSnapshot() == null
            ? List.of()
            : table.currentSnapshot().dataManifests(table.io());
    if (manifests.stream().filter(ManifestRewrite::isLive).filter(m -> m.length() < small).count()
        < MANY) {
      dropDead(table);
      return true;
    }
    try {
      table
          .rewriteManifests()
          .rewriteIf(manifest -> manifest.length() < small)
          .clusterBy(file -> String.valueOf(file.partition()))
          .set(FileRewrite.SUMMARY_KEY, UUID.randomUUID().toString())
          .commit();
      dropDead(table);
      return true;
    } catch (ValidationException | CommitFailedException e) {
      return false;
    } finally {
      table.refresh();
    }
  }

  /** A commit without files leaves dead manifests out, the delete manifests too. */
  private static void dropDead(Table table) {
    table.refresh();
    if (table.currentSnapshot() != null
        && table.currentSnapshot().allManifests(table.io()).stream().filter(m -> !isLive(m)).count()
            > 1) {
      table.newAppend().set(FileRewrite.SUMMARY_KEY, UUID.randomUUID().toString()).commit();
    }
  }

  private static boolean isLive(ManifestFile manifest) {
    return manifest.hasAddedFiles() || manifest.hasExistingFiles();
  }
}
