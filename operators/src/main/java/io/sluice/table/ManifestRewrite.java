package io.sluice.table;

import java.util.List;
import java.util.UUID;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.exceptions.ValidationException;
import org.apache.iceberg.util.PropertyUtil;

/** Puts many small manifests of data files together, which every plan of a query has to read. */
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
    if (manifests.stream().filter(manifest -> manifest.length() < small).count() < MANY) {
      return true;
    }
    try {
      table
          .rewriteManifests()
          .rewriteIf(manifest -> manifest.length() < small)
          .clusterBy(file -> String.valueOf(file.partition()))
          .set(FileRewrite.SUMMARY_KEY, UUID.randomUUID().toString())
          .commit();
      return true;
    } catch (ValidationException | CommitFailedException e) {
      return false;
    } finally {
      table.refresh();
    }
  }
}
