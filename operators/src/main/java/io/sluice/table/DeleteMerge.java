package io.sluice.table;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.SluiceException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.apache.flink.table.data.RowData;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableUtil;
import org.apache.iceberg.data.BaseDeleteLoader;
import org.apache.iceberg.deletes.BaseDVFileWriter;
import org.apache.iceberg.deletes.PositionDelete;
import org.apache.iceberg.deletes.PositionDeleteWriter;
import org.apache.iceberg.encryption.EncryptingFileIO;
import org.apache.iceberg.flink.sink.FlinkFileWriterFactory;
import org.apache.iceberg.io.FileWriterFactory;
import org.apache.iceberg.io.OutputFileFactory;
import org.apache.iceberg.util.ContentFileUtil;
import org.apache.iceberg.util.Tasks;

/**
 * Unites the positions that a commit deletes with those that are deleted already, and writes the
 * result: deletion vectors in format version 3 (one per data file, all in one Puffin file),
 * file-scoped position deletes in version 2 (one file per data file). The files it replaces leave
 * the table in the same commit, and so does a data file without a row left.
 */
final class DeleteMerge {

  private final Table table;
  private final String operationId;
  private final List<DeleteFile> added = new ArrayList<>();
  private final List<DeleteFile> removed = new ArrayList<>();
  private final List<DataFile> dead = new ArrayList<>();
  private final Map<String, TouchedFile> rewritten = new TreeMap<>();

  private DeleteMerge(Table table, String operationId) {
    this.table = table;
    this.operationId = operationId;
  }

  /**
   * Reads the present deletes and writes the new ones.
   *
   * @param table a table pinned to the metadata that the commit is made against
   * @param deleted what to delete, by data file; every file is among {@code files}
   * @throws SluiceException COMMIT_CONFLICT if one of the rows is deleted already
   */
  static DeleteMerge write(
      Table table,
      Map<String, TouchedFile> files,
      Map<String, DeletedPositions> deleted,
      String operationId) {
    DeleteMerge merge = new DeleteMerge(table, operationId);
    Map<String, DeletedPositions> united = merge.unite(files, deleted);
    if (united.isEmpty()) {
      return merge;
    }
    try {
      if (TableUtil.formatVersion(table) >= 3) {
        merge.writeVectors(united);
      } else {
        merge.writePositionDeletes(united);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return merge;
  }

  List<DeleteFile> added() {
    return added;
  }

  /** Delete files that the added ones replace, or that belonged to dead files. */
  List<DeleteFile> removed() {
    return removed;
  }

  /** Data files of the table without a row left. */
  List<DataFile> dead() {
    return dead;
  }

  /** The data files that have a new delete file, by location. */
  Map<String, TouchedFile> rewritten() {
    return rewritten;
  }

  /** Removes the written files after a certain failure. */
  void discard() {
    added.stream()
        .map(DeleteFile::location)
        .distinct()
        .forEach(location -> FileCleanup.delete(table, location));
  }

  private Map<String, DeletedPositions> unite(
      Map<String, TouchedFile> files, Map<String, DeletedPositions> deleted) {
    Map<String, DeletedPositions> scoped = new ConcurrentHashMap<>();
    Map<String, DeletedPositions> shared = new ConcurrentHashMap<>();
    Tasks.foreach(files.values())
        .executeWith(ManifestThreads.of(table))
        .stopOnFailure()
        .throwFailureWhenFinished()
        .run(
            file -> {
              scoped.put(file.file().location(), load(file, ContentFileUtil::isFileScoped));
              shared.put(file.file().location(), load(file, d -> !ContentFileUtil.isFileScoped(d)));
            });
    Map<String, DeletedPositions> united = new TreeMap<>();
    boolean vectors = TableUtil.formatVersion(table) >= 3;
    files.forEach(
        (path, file) -> {
          DeletedPositions before = new DeletedPositions();
          before.addAll(scoped.get(path));
          before.addAll(shared.get(path));
          requireLive(file, deleted.get(path), before);
          removed.addAll(file.previous().stream().filter(ContentFileUtil::isFileScoped).toList());
          if (file.inTable()
              && before.count() + deleted.get(path).count() == file.file().recordCount()) {
            dead.add(file.file());
            return;
          }
          // A vector hides every older position delete of its file, so it has to hold them all; a
          // position delete file stands beside the partition-scoped ones that stay in the table.
          DeletedPositions now = vectors ? before : scoped.get(path);
          now.addAll(deleted.get(path));
          united.put(path, now);
          rewritten.put(path, file);
        });
    return united;
  }

  private DeletedPositions load(TouchedFile file, Predicate<DeleteFile> which) {
    return load(table, file.file().location(), file.previous().stream().filter(which).toList());
  }

  /** The positions that delete files name in a data file. */
  static DeletedPositions load(Table table, String path, List<DeleteFile> deletes) {
    DeletedPositions positions = new DeletedPositions();
    if (!deletes.isEmpty()) {
      EncryptingFileIO io = EncryptingFileIO.combine(table.io(), table.encryption());
      new BaseDeleteLoader(io::newInputFile)
          .loadPositionDeletes(deletes, path)
          .forEach(positions::add);
    }
    return positions;
  }

  private void requireLive(TouchedFile file, DeletedPositions now, DeletedPositions before) {
    String path = file.file().location();
    if (now.last() >= file.file().recordCount()) {
      throw new IllegalStateException(
          "position "
              + now.last()
              + " lies behind the end of "
              + path
              + ", which has "
              + file.file().recordCount()
              + " rows");
    }
    DeletedPositions twice = now.intersection(before);
    if (!twice.isEmpty()) {
      throw new SluiceException(
          ErrorCode.COMMIT_CONFLICT,
          twice.count()
              + " rows of "
              + path
              + " in table "
              + table.name()
              + " that this update deletes are deleted already, the last at position "
              + twice.last(),
          "Run the update again");
    }
  }

  private void writeVectors(Map<String, DeletedPositions> united) throws IOException {
    OutputFileFactory files = outputFiles(FileFormat.PUFFIN);
    BaseDVFileWriter writer = new BaseDVFileWriter(files, path -> null);
    try (writer) {
      united.forEach(
          (path, positions) -> {
            TouchedFile file = rewritten.get(path);
            positions.forEach(
                position -> writer.delete(path, position, file.spec(), file.file().partition()));
          });
    }
    added.addAll(writer.result().deleteFiles());
  }

  private void writePositionDeletes(Map<String, DeletedPositions> united) throws IOException {
    FileFormat format = FileFormat.PARQUET;
    OutputFileFactory files = outputFiles(format);
    FileWriterFactory<RowData> writers =
        new FlinkFileWriterFactory.Builder(table)
            .dataSchema(table.schema())
            .deleteFileFormat(format)
            .build();
    for (Map.Entry<String, DeletedPositions> entry : united.entrySet()) {
      TouchedFile file = rewritten.get(entry.getKey());
      boolean partitioned = file.spec().isPartitioned();
      PositionDeleteWriter<RowData> writer =
          writers.newPositionDeleteWriter(
              partitioned
                  ? files.newOutputFile(file.spec(), file.file().partition())
                  : files.newOutputFile(),
              file.spec(),
              partitioned ? file.file().partition() : null);
      PositionDelete<RowData> row = PositionDelete.create();
      try (writer) {
        entry.getValue().forEach(position -> writer.write(row.set(entry.getKey(), position)));
      }
      added.add(writer.toDeleteFile());
    }
  }

  private OutputFileFactory outputFiles(FileFormat format) {
    return OutputFileFactory.builderFor(table, 0, 0)
        .format(format)
        .operationId(operationId)
        .suffix("deletes")
        .build();
  }
}
