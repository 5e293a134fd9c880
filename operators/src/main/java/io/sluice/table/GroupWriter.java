package io.sluice.table;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.table.data.RowData;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.MetadataColumns;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.TableUtil;
import org.apache.iceberg.flink.FlinkSchemaUtil;
import org.apache.iceberg.flink.sink.FlinkFileWriterFactory;
import org.apache.iceberg.io.FileWriterFactory;
import org.apache.iceberg.io.OutputFileFactory;
import org.apache.iceberg.util.PropertyUtil;

/**
 * Writes the live rows of a group of files to new ones, in their order and with their row ids, and
 * notes where each went. One per group.
 */
final class GroupWriter {

  private final Table table;
  private final FileGroup group;
  private final Schema columns;
  private final FileWriterFactory<RowData> writers;
  private final OutputFileFactory files;
  private final long targetBytes;

  private final List<DataFile> written = new ArrayList<>();
  private final Map<String, DeletedPositions> kept = new HashMap<>();
  private final MovedRows moves = new MovedRows();
  private OpenDataFile open;
  private DeletedPositions segment = new DeletedPositions();
  private long segmentFirst;

  /**
   * @param number of the group, part of the file names
   * @param operationId identifies the rewrite in the file names
   */
  GroupWriter(Table table, FileGroup group, int number, String operationId) {
    this.table = table;
    this.group = group;
    this.columns =
        TableUtil.supportsRowLineage(table)
            ? MetadataColumns.schemaWithRowLineage(table.schema())
            : table.schema();
    FileFormat format = WrittenFormat.of(table);
    this.writers =
        new FlinkFileWriterFactory.Builder(table)
            .dataFileFormat(format)
            .dataSchema(columns)
            .dataFlinkType(FlinkSchemaUtil.convert(columns))
            .build();
    this.files =
        OutputFileFactory.builderFor(table, number, 0)
            .format(format)
            .operationId(operationId)
            .build();
    this.targetBytes =
        PropertyUtil.propertyAsLong(
            table.properties(),
            TableProperties.WRITE_TARGET_FILE_SIZE_BYTES,
            TableProperties.WRITE_TARGET_FILE_SIZE_BYTES_DEFAULT);
  }

  /**
   * Writes the files. Should it fail, none of them is left.
   *
   * @throws java.io.UncheckedIOException if files cannot be read or written
   */
  RewrittenGroup write() {
    try {
      LocatedRowReader reader = new LocatedRowReader(table, columns);
      for (RowSplit source : group.files()) {
        DeletedPositions alive = new DeletedPositions();
        reader.read(
            source,
            Selection.all(),
            (row, file, position) -> {
              alive.add(position);
              write(source, row, position);
            });
        endSegment(source);
        kept.put(source.file().location(), alive);
      }
      finish();
      return new RewrittenGroup(group, written, kept, moves);
    } catch (RuntimeException e) {
      abort();
      throw e;
    }
  }

  private void write(RowSplit source, RowData row, long position) {
    if (open == null) {
      open =
          new OpenDataFile(
              writers,
              group.spec().isUnpartitioned()
                  ? files.newOutputFile()
                  : files.newOutputFile(group.spec(), group.partition()),
              group.spec(),
              group.spec().isUnpartitioned() ? null : group.partition());
    }
    if (segment.isEmpty()) {
      segmentFirst = open.rows();
    }
    segment.add(position);
    if (open.write(row) && open.bytes() >= targetBytes) {
      endSegment(source);
      finish();
    }
  }

  private void endSegment(RowSplit source) {
    if (!segment.isEmpty()) {
      moves.add(
          source.file().location(), new MovedRows.Segment(segment, open.location(), segmentFirst));
      segment = new DeletedPositions();
    }
  }

  private void finish() {
    if (open != null) {
      written.add(open.finish());
      open = null;
    }
  }

  private void abort() {
    if (open != null) {
      try {
        open.finish();
      } catch (RuntimeException e) {
        // The file is removed next, finished or not.
      }
      FileCleanup.delete(table, open.location());
    }
    written.forEach(file -> FileCleanup.delete(table, file.location()));
  }
}
