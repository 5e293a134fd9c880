package io.sluice.table;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.ToLongFunction;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.RowType;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.PartitionKey;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.flink.FlinkSchemaUtil;
import org.apache.iceberg.flink.RowDataWrapper;
import org.apache.iceberg.flink.sink.FlinkFileWriterFactory;
import org.apache.iceberg.io.FileWriterFactory;
import org.apache.iceberg.io.OutputFileFactory;
import org.apache.iceberg.util.PropertyUtil;

/**
 * Writes the row changes of one subtask into files of one table and collects the positions to
 * delete. It commits nothing: {@link #complete} hands the files and positions to whoever calls the
 * {@link TableCommitter}. Format, target size and write properties are the table's. A row goes to
 * the partition its values name now, whatever partition an older version of it lies in.
 *
 * <p>Memory is bounded: at most {@value #MAX_OPEN_FILES} files are open, rows of further partitions
 * wait on the local disk; and when the open files together pass {@link #BUFFER_BYTES} the largest
 * is finished early. Not thread-safe.
 */
public final class RowChangeWriter implements AutoCloseable {

  /** Most files that are open at one time. */
  static final int MAX_OPEN_FILES = 128;

  /** Most bytes that open files hold together, estimated from their encoded size. */
  static final long BUFFER_BYTES = 256L << 20;

  private final Table table;
  private final RowType rowType;
  private final PartitionSpec spec;
  private final FileWriterFactory<RowData> writers;
  private final OutputFileFactory files;
  private final RowDataWrapper wrapper;
  private final PartitionKey partitionKey;
  private final long targetBytes;
  private final long rowGroupBytes;
  private final int maxOpenFiles;
  private final long bufferBytes;

  private final Map<FileKey, OpenDataFile> open = new HashMap<>();
  private final List<DataFile> finished = new ArrayList<>();
  private final Map<String, DeletedPositions> deleted = new HashMap<>();
  private RowSpill spill;

  /**
   * A writer for rows in the types that Iceberg maps the table's columns to.
   *
   * @param subtask number of the subtask, part of the file names
   * @param attempt number of the attempt of the subtask, part of the file names
   * @param operationId identifies the update in the file names. No two writers write the same file,
   *     also where a new job manager counts attempts anew or a commit is prepared twice
   */
  public RowChangeWriter(Table table, int subtask, long attempt, String operationId) {
    this(table, FlinkSchemaUtil.convert(table.schema()), subtask, attempt, operationId);
  }

  /**
   * A writer for rows of the given type, which has the table's columns, names and order but may
   * hold them in narrower Flink types (TINYINT and SMALLINT for an int column).
   */
  public RowChangeWriter(
      Table table, RowType rowType, int subtask, long attempt, String operationId) {
    this(table, rowType, subtask, attempt, operationId, MAX_OPEN_FILES, BUFFER_BYTES);
  }

  RowChangeWriter(
      Table table,
      RowType rowType,
      int subtask,
      long attempt,
      String operationId,
      int maxOpenFiles,
      long bufferBytes) {
    this.table = table;
    this.rowType = rowType;
    this.spec = table.spec();
    this.maxOpenFiles = maxOpenFiles;
    this.bufferBytes = bufferBytes;
    FileFormat format = WrittenFormat.of(table);
    this.writers =
        new FlinkFileWriterFactory.Builder(table)
            .dataFileFormat(format)
            .dataSchema(table.schema())
            .dataFlinkType(rowType)
            .build();
    this.files =
        OutputFileFactory.builderFor(table, subtask, attempt)
            .format(format)
            .operationId(operationId + "-" + UUID.randomUUID().toString().substring(0, 8))
            .build();
    this.wrapper = new RowDataWrapper(rowType, table.schema().asStruct());
    this.partitionKey = new PartitionKey(spec, table.schema());
    this.targetBytes =
        PropertyUtil.propertyAsLong(
            table.properties(),
            TableProperties.WRITE_TARGET_FILE_SIZE_BYTES,
            TableProperties.WRITE_TARGET_FILE_SIZE_BYTES_DEFAULT);
    this.rowGroupBytes =
        PropertyUtil.propertyAsLong(
            table.properties(),
            TableProperties.PARQUET_ROW_GROUP_SIZE_BYTES,
            TableProperties.PARQUET_ROW_GROUP_SIZE_BYTES_DEFAULT);
  }

  /**
   * Adds a row. The row object may be reused by the caller.
   *
   * @param row all columns of the table in its order
   * @param group rows of different groups go to different files; 0 or more
   */
  public void insert(RowData row, int group) {
    requireGroup(group);
    write(row, group);
  }

  /**
   * Adds a row like {@link #insert} and tells where it lies. No row waits on the disk: where too
   * many files are open the one with the most rows is finished.
   */
  public RowLocation insertLocated(RowData row, int group) {
    requireGroup(group);
    partitionKey.partition(wrapper.wrap(row));
    OpenDataFile file = open.get(new FileKey(group, partitionKey));
    if (file == null) {
      if (open.size() >= maxOpenFiles) {
        finishGreatest(OpenDataFile::rows);
      }
      file = openFile(group);
    }
    RowLocation location = new RowLocation(file.location(), file.rows());
    write(file, row, group);
    return location;
  }

  private static void requireGroup(int group) {
    if (group < 0) {
      throw new IllegalArgumentException("group " + group + " is negative");
    }
  }

  /** Deletes a row of the table, or one that another writer adds in the same commit. */
  public void delete(RowLocation location) {
    deleted
        .computeIfAbsent(location.file(), file -> new DeletedPositions())
        .add(location.position());
  }

  /**
   * Finishes all files and hands everything over, as outcomes that are each well below 1 MiB when
   * serialised; none if nothing was written or deleted. The writer is empty afterwards and may go
   * on with the next rows.
   */
  public List<WriteOutcome> complete() {
    finishAll();
    while (spill != null) {
      RowSpill waiting = spill;
      spill = null;
      waiting.drain(this::write);
      finishAll();
    }
    List<WriteOutcome> outcomes = OutcomePacker.pack(finished, deleted);
    finished.clear();
    deleted.clear();
    return outcomes;
  }

  /** Removes the files that were written and not handed over; never fails. */
  public void abort() {
    for (OpenDataFile file : open.values()) {
      try {
        file.finish();
      } catch (RuntimeException e) {
        // The file is removed next, finished or not.
      }
      FileCleanup.delete(table, file.location());
    }
    open.clear();
    finished.forEach(file -> FileCleanup.delete(table, file.location()));
    finished.clear();
    deleted.clear();
    if (spill != null) {
      spill.close();
      spill = null;
    }
  }

  /** Aborts what was not completed. */
  @Override
  public void close() {
    abort();
  }

  private void write(RowData row, int group) {
    partitionKey.partition(wrapper.wrap(row));
    OpenDataFile file = open.get(new FileKey(group, partitionKey));
    if (file == null) {
      if (open.size() >= maxOpenFiles) {
        if (spill == null) {
          spill = new RowSpill(rowType);
        }
        spill.add(row, group);
        return;
      }
      file = openFile(group);
    }
    write(file, row, group);
  }

  /** Writes a row into the file of its group and partition. */
  private void write(OpenDataFile file, RowData row, int group) {
    if (file.write(row)) {
      if (file.bytes() >= targetBytes) {
        finish(new FileKey(group, partitionKey));
      } else if (bufferedBytes() > bufferBytes) {
        finishGreatest(OpenDataFile::bytes);
      }
    }
  }

  private OpenDataFile openFile(int group) {
    PartitionKey partition = partitionKey.copy();
    OpenDataFile file =
        new OpenDataFile(
            writers,
            spec.isUnpartitioned() ? files.newOutputFile() : files.newOutputFile(spec, partition),
            spec,
            spec.isUnpartitioned() ? null : partition);
    open.put(new FileKey(group, partition), file);
    return file;
  }

  /** What open files hold in memory: no file holds more than a row group. */
  private long bufferedBytes() {
    return open.values().stream().mapToLong(file -> Math.min(file.bytes(), rowGroupBytes)).sum();
  }

  private void finishGreatest(ToLongFunction<OpenDataFile> size) {
    open.entrySet().stream()
        .max(Comparator.comparingLong(entry -> size.applyAsLong(entry.getValue())))
        .map(Map.Entry::getKey)
        .ifPresent(this::finish);
  }

  private void finishAll() {
    List.copyOf(open.keySet()).forEach(this::finish);
  }

  private void finish(FileKey key) {
    DataFile file = open.get(key).finish();
    open.remove(key);
    finished.add(file);
  }

  private record FileKey(int group, PartitionKey partition) {}
}
