package io.sluice.table;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.apache.iceberg.GenericBlobMetadata;
import org.apache.iceberg.GenericStatisticsFile;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.StatisticsFile;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableOperations;
import org.apache.iceberg.puffin.Blob;
import org.apache.iceberg.puffin.BlobMetadata;
import org.apache.iceberg.puffin.Puffin;
import org.apache.iceberg.puffin.PuffinCompressionCodec;
import org.apache.iceberg.puffin.PuffinReader;
import org.apache.iceberg.puffin.PuffinWriter;
import org.apache.iceberg.util.ByteBuffers;
import org.apache.iceberg.util.Pair;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a snapshot that rewrote files says about the rows that it moved: a Puffin file among the
 * statistics of the snapshot, so that it is reachable as long as the snapshot is.
 */
final class MovedRowsFile {

  private static final Logger LOG = LoggerFactory.getLogger(MovedRowsFile.class);

  private static final String TYPE = "sluice-moved-rows-v1";

  private MovedRowsFile() {}

  /**
   * Writes the file; the caller adds it to the transaction of the snapshot.
   *
   * @throws UncheckedIOException if it cannot be written
   */
  static StatisticsFile write(TableOperations operations, Snapshot snapshot, MovedRows moves) {
    String path = operations.metadataFileLocation(UUID.randomUUID() + "-moved.stats");
    try (PuffinWriter writer =
        Puffin.write(operations.io().newOutputFile(path)).createdBy("Sluice").build()) {
      writer.add(
          new Blob(
              TYPE,
              List.of(),
              snapshot.snapshotId(),
              snapshot.sequenceNumber(),
              ByteBuffer.wrap(moves.toBytes()),
              PuffinCompressionCodec.ZSTD,
              Map.of()));
      writer.finish();
      return new GenericStatisticsFile(
          snapshot.snapshotId(),
          path,
          writer.fileSize(),
          writer.footerSize(),
          GenericBlobMetadata.from(writer.writtenBlobsMetadata()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The rows that a snapshot moved; empty if it says nothing, or nothing that can be read. */
  static Optional<MovedRows> read(Table table, Snapshot snapshot) {
    Optional<StatisticsFile> file =
        table.statisticsFiles().stream()
            .filter(each -> each.snapshotId() == snapshot.snapshotId())
            .filter(each -> each.blobMetadata().stream().anyMatch(b -> TYPE.equals(b.type())))
            .findFirst();
    if (file.isEmpty()) {
      return Optional.empty();
    }
    try (PuffinReader reader =
        Puffin.read(table.io().newInputFile(file.get().path()))
            .withFileSize(file.get().fileSizeInBytes())
            .withFooterSize(file.get().fileFooterSizeInBytes())
            .build()) {
      List<BlobMetadata> blobs =
          reader.fileMetadata().blobs().stream().filter(b -> TYPE.equals(b.type())).toList();
      MovedRows moves = new MovedRows();
      for (Pair<BlobMetadata, ByteBuffer> blob : reader.readAll(blobs)) {
        moves.addAll(MovedRows.of(ByteBuffers.toByteArray(blob.second())));
      }
      return Optional.of(moves);
    } catch (IOException | RuntimeException e) {
      LOG.warn("{} of table {} cannot be read", file.get().path(), table.name(), e);
      return Optional.empty();
    }
  }
}
