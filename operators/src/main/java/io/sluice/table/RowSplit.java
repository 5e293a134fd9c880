package io.sluice.table;

import java.io.Serializable;
import java.util.List;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;

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

  /** Rows of the part by its share of the file's bytes, deleted ones included; at least 1. */
  public long estimatedRows() {
    return Math.max(1, Math.round((double) file.recordCount() * length / file.fileSizeInBytes()));
  }
}
