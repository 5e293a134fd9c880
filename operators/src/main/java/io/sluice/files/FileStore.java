package io.sluice.files;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.IoReason;
import io.sluice.errors.SluiceException;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.iceberg.exceptions.NotFoundException;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.SeekableInputStream;

/** The few things that this package needs of a file system. */
sealed interface FileStore permits LocalFileStore, FlinkFileStore {

  /**
   * A file or folder.
   *
   * @param path canonical absolute path
   */
  record Node(String path, boolean isFolder, long size, long modificationTimeMs) {
    String name() {
      return path.substring(path.lastIndexOf('/') + 1);
    }

    FileEntry toEntry() {
      return new FileEntry(path, size, modificationTimeMs);
    }
  }

  /** The file system that knows a path: the local one, or that of the path's scheme. */
  static FileStore of(String path) {
    return path.startsWith("/") ? LocalFileStore.INSTANCE : FlinkFileStore.INSTANCE;
  }

  /** What is at a path; empty where there is nothing. */
  Optional<Node> status(String path) throws IOException;

  /** The direct children of a folder, in no order; empty where the folder has gone. */
  List<Node> children(String folder) throws IOException;

  /**
   * A file to read.
   *
   * @param length its size in bytes
   */
  InputFile input(String path, long length);

  /** Opens a file at a byte position. */
  static SeekableInputStream open(FileEntry file, long position) throws IOException {
    SeekableInputStream stream;
    try {
      stream = of(file.path()).input(file.path(), file.size()).newStream();
    } catch (NotFoundException e) {
      throw new IOException(e.getMessage(), e);
    }
    try {
      stream.seek(position);
      return stream;
    } catch (IOException | RuntimeException e) {
      stream.close();
      throw e;
    }
  }

  /** An I/O error as the user sees it. */
  static SluiceException failed(String path, Exception cause) {
    return new SluiceException(
        ErrorCode.STORAGE,
        "'" + path + "' cannot be read: " + IoReason.of(cause),
        "Check that the path is reachable and that this process may read it.",
        cause);
  }
}
