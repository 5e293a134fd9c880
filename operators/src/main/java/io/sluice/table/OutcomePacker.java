package io.sluice.table;

import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.util.InstantiationUtil;
import org.apache.iceberg.DataFile;

/**
 * Cuts what a writer produced into outcomes of bounded size, so that each fits into one record of a
 * Flink job, whatever the number of files and deletes.
 */
final class OutcomePacker {

  /** Aimed-at size of a serialised outcome. */
  static final int PIECE_BYTES = 256 * 1024;

  /** Positions of one file are cut at multiples of this: at most 128 KiB of bitmap each. */
  static final long POSITION_WINDOW = 1L << 20;

  private final List<WriteOutcome> outcomes = new ArrayList<>();
  private List<DataFile> files = new ArrayList<>();
  private Map<String, DeletedPositions> deleted = new HashMap<>();
  private long bytes;

  static List<WriteOutcome> pack(
      List<DataFile> dataFiles, Map<String, DeletedPositions> deletedPositions) {
    OutcomePacker packer = new OutcomePacker();
    for (DataFile file : dataFiles) {
      packer.room(serializedBytes((Serializable) file));
      packer.files.add(file);
    }
    deletedPositions.forEach(
        (path, positions) -> {
          for (DeletedPositions piece : positions.split(POSITION_WINDOW)) {
            if (packer.deleted.containsKey(path)) {
              packer.flush();
            }
            packer.room(piece.serializedBytes() + path.length());
            packer.deleted.put(path, piece);
          }
        });
    packer.flush();
    return List.copyOf(packer.outcomes);
  }

  private void room(long more) {
    if (bytes > 0 && bytes + more > PIECE_BYTES) {
      flush();
    }
    bytes += more;
  }

  private void flush() {
    if (!files.isEmpty() || !deleted.isEmpty()) {
      outcomes.add(new WriteOutcome(files, deleted));
    }
    files = new ArrayList<>();
    deleted = new HashMap<>();
    bytes = 0;
  }

  private static long serializedBytes(Serializable value) {
    try {
      return InstantiationUtil.serializeObject(value).length;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
