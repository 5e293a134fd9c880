package io.sluice.files;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.SluiceException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.zip.ZipException;
import org.apache.flink.table.types.logical.RowType;

/**
 * Reads splits into rows (semantics 17.4). Not thread-safe; one instance reads any number of
 * splits.
 *
 * <p>Offsets increase inside a file: the byte at which a JSON line or CSV record begins (of the
 * content, for compressed files), the number of a row in a Parquet or Avro file.
 */
public final class FileRowReader {

  /** Characters of a malformed record that are reported. */
  public static final int MAX_RAW_CHARACTERS = 2_000;

  private final RowAssembler rows;
  private final FormatReader format;

  /**
   * A reader of plain rows.
   *
   * @param withMetadata adds the last column {@code _metadata ROW<file_path STRING, file_name
   *     STRING, file_size BIGINT, file_modification_time TIMESTAMP_LTZ(3)>}
   * @throws SluiceException INVALID_OPTION where the format cannot hold a column's type
   */
  public FileRowReader(ReadFilesOptions options, FileSchema schema, boolean withMetadata) {
    this(options, schema, withMetadata, false);
  }

  FileRowReader(
      ReadFilesOptions options, FileSchema schema, boolean withMetadata, boolean withPosition) {
    this.rows = new RowAssembler(options, schema, withMetadata, withPosition);
    this.format =
        switch (options.format()) {
          case JSON -> new JsonLinesReader(rows);
          case CSV -> new CsvReader(options, rows);
          case PARQUET, AVRO -> new TypedFileReader(options.format());
        };
  }

  /** The type of the rows: the schema's columns, then {@code _metadata} if wanted. */
  public RowType producedType() {
    return rows.producedType();
  }

  /**
   * Reads the records of one split in order.
   *
   * @return bytes read
   * @throws SluiceException SOURCE_CHANGED where the file is not as planned, before or after;
   *     NEW_COLUMNS in mode failOnNewColumns; MALFORMED_RECORD where the file as a whole cannot be
   *     read; STORAGE where the file system fails
   */
  public long read(FileSplit split, RowSink sink) {
    FileEntry file = split.file();
    requireUnchanged(file);
    if (file.size() == 0) {
      return 0;
    }
    rows.startFile(split, sink);
    long bytes;
    try {
      bytes = format.read(split, rows);
    } catch (ZipException | java.io.EOFException e) {
      requireUnchanged(file);
      throw new SluiceException(
          ErrorCode.MALFORMED_RECORD,
          "'" + file.path() + "' is damaged: " + e.getMessage(),
          "Write the file again, or take it away.",
          e);
    } catch (IOException | UncheckedIOException e) {
      requireUnchanged(file);
      throw FileStore.failed(file.path(), e);
    } catch (RuntimeException e) {
      // A reader in the middle of a file that somebody overwrites fails in any way.
      requireUnchanged(file);
      throw e;
    }
    requireUnchanged(file);
    return bytes;
  }

  /** Fails with SOURCE_CHANGED where the file is not as it was listed. */
  static void requireUnchanged(FileEntry planned) {
    Optional<FileEntry> found;
    try {
      found = FileStore.of(planned.path()).status(planned.path()).map(FileStore.Node::toEntry);
    } catch (IOException e) {
      throw FileStore.failed(planned.path(), e);
    }
    if (found.filter(planned::equals).isPresent()) {
      return;
    }
    throw new SluiceException(
        ErrorCode.SOURCE_CHANGED,
        "'"
            + planned.path()
            + "' was planned with "
            + describe(planned)
            + ", found "
            + found.map(FileRowReader::describe).orElse("nothing there"),
        "Files of a source must not change once they are there: write a new file under a new name,"
            + " then run the update again.");
  }

  private static String describe(FileEntry file) {
    return file.size()
        + " bytes modified at "
        + java.time.Instant.ofEpochMilli(file.modificationTimeMs());
  }
}
