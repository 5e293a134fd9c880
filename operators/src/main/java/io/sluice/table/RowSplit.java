package io.sluice.table;

import java.io.Serializable;
import java.util.List;
import java.util.OptionalLong;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileContent;
import org.apache.iceberg.util.ContentFileUtil;

/**
 * A part of one data file to be read, with the deletes that apply to it. Positions are those of the
 * whole file.
 *
 * @param file the data file
 * @param deletes position deletes, deletion vector and (of foreign writers) equality deletes
 * @param start first byte of the part; parts begin at row groups
 * @param length bytes of the part
 * @param dataSequenceNumber order of the commit that added the file's rows
 */
public record RowSplit(
    DataFile file, List<DeleteFile> deletes, long start, long length, long dataSequenceNumber)
    implements Serializable {

  /** The versioned form of a split. */
  public static final VersionedSerializer<RowSplit> SERIALIZER =
      new VersionedSerializer<>(RowSplit.class);

  public RowSplit {
    deletes = List.copyOf(deletes);
  }

  /** Name of the file that orders like the commits and, within one, by location. */
  public String orderedName() {
    return "%019d:%s".formatted(dataSequenceNumber, file.location());
  }

  /** Rows of the part by its share of the file's bytes, deleted ones included; at least 1. */
  public long estimatedRows() {
    return Math.max(1, Math.round((double) file.recordCount() * length / file.fileSizeInBytes()));
  }

  /**
   * Live rows of the whole file by the counts of its deletes; empty where only reading them would
   * tell, because they are equality deletes or concern other files, too.
   */
  OptionalLong liveRowsOfFile() {
    long live = file.recordCount();
    for (DeleteFile delete : deletes) {
      if (delete.content() != FileContent.POSITION_DELETES
          || !ContentFileUtil.isFileScoped(delete)) {
        return OptionalLong.empty();
      }
      live -= delete.recordCount();
    }
    return OptionalLong.of(Math.max(0, live));
  }
}
