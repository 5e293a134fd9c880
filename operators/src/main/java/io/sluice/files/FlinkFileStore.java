package io.sluice.files;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.SluiceException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.core.fs.FileStatus;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.Path;
import org.apache.flink.core.fs.UnsupportedFileSystemSchemeException;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.SeekableInputStream;

/** Every scheme that Flink knows: its own file system plugins, and Hadoop's behind them. */
final class FlinkFileStore implements FileStore {

  static final FlinkFileStore INSTANCE = new FlinkFileStore();

  private FlinkFileStore() {}

  @Override
  public Optional<Node> status(String path) throws IOException {
    try {
      return Optional.of(toNode(fileSystem(path).getFileStatus(new Path(path))));
    } catch (FileNotFoundException e) {
      return Optional.empty();
    }
  }

  @Override
  public List<Node> children(String folder) throws IOException {
    List<Node> nodes = new ArrayList<>();
    try {
      FileStatus[] statuses = fileSystem(folder).listStatus(new Path(folder));
      for (FileStatus status : statuses == null ? new FileStatus[0] : statuses) {
        nodes.add(toNode(status));
      }
    } catch (FileNotFoundException e) {
      return List.of();
    }
    return nodes;
  }

  @Override
  public InputFile input(String path, long length) {
    return new FlinkInputFile(path, length);
  }

  private static Node toNode(FileStatus status) {
    return new Node(
        status.getPath().toString(), status.isDir(), status.getLen(), status.getModificationTime());
  }

  private static FileSystem fileSystem(String path) throws IOException {
    try {
      return new Path(path).getFileSystem();
    } catch (UnsupportedFileSystemSchemeException e) {
      throw new SluiceException(
          ErrorCode.SOURCE_NOT_FOUND,
          "no file system for '" + path + "': " + e.getMessage(),
          "Add the file system's plugin or jar, or use another scheme.",
          e);
    }
  }

  private record FlinkInputFile(String location, long length) implements InputFile {

    @Override
    public long getLength() {
      return length;
    }

    @Override
    public SeekableInputStream newStream() {
      try {
        return new FlinkStream(fileSystem(location).open(new Path(location)));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public boolean exists() {
      try {
        return INSTANCE.status(location).isPresent();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private static final class FlinkStream extends SeekableInputStream {

    private final FSDataInputStream stream;

    private FlinkStream(FSDataInputStream stream) {
      this.stream = stream;
    }

    @Override
    public long getPos() throws IOException {
      return stream.getPos();
    }

    @Override
    public void seek(long position) throws IOException {
      stream.seek(position);
    }

    @Override
    public int read() throws IOException {
      return stream.read();
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      return stream.read(bytes, offset, length);
    }

    @Override
    public void close() throws IOException {
      stream.close();
    }
  }
}
