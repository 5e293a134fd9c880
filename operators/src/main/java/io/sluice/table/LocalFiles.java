package io.sluice.table;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.fs.FSError;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.iceberg.io.FileInfo;

/**
 * Hadoop's local file system without its cost and its errors: without Hadoop's native library the
 * original starts a {@code chmod} process for every file that is written, several per commit; and a
 * write that fails, on a full disk, is an {@link FSError} there, which nobody expects who is ready
 * for an {@link IOException}. Set as {@code fs.file.impl}.
 */
public final class LocalFiles extends LocalFileSystem {

  /** The Hadoop property that this class is a value of. */
  public static final String PROPERTY = "fs.file.impl";

  public LocalFiles() {
    super(new Raw());
  }

  /** The files below a folder, without Hadoop's checksums; what vanishes meanwhile is left out. */
  static List<FileInfo> list(java.nio.file.Path folder) {
    List<FileInfo> files = new ArrayList<>();
    try {
      Files.walkFileTree(
          folder,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(
                java.nio.file.Path file, BasicFileAttributes attributes) {
              if (!isChecksum(file.getFileName().toString())) {
                files.add(
                    new FileInfo(
                        file.toString(),
                        attributes.size(),
                        attributes.lastModifiedTime().toMillis()));
              }
              return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(java.nio.file.Path file, IOException e)
                throws IOException {
              if (e instanceof NoSuchFileException) {
                return FileVisitResult.CONTINUE;
              }
              throw e;
            }
          });
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return files;
  }

  private static boolean isChecksum(String name) {
    return name.startsWith(".") && name.endsWith(".crc");
  }

  /** What may fail to be written. */
  @FunctionalInterface
  private interface Writing {
    void run() throws IOException;
  }

  /** A stream whose failures are all of the kind that a stream may have. */
  private static final class Writer extends FilterOutputStream {

    Writer(OutputStream out) {
      super(out);
    }

    @Override
    public void write(int value) throws IOException {
      checked(() -> out.write(value));
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
      checked(() -> out.write(bytes, from, length));
    }

    @Override
    public void flush() throws IOException {
      checked(out::flush);
    }

    @Override
    public void close() throws IOException {
      checked(out::close);
    }

    private static void checked(Writing writing) throws IOException {
      try {
        writing.run();
      } catch (FSError e) {
        throw e.getCause() instanceof IOException cause ? cause : new IOException(e);
      }
    }
  }

  private static final class Raw extends RawLocalFileSystem {

    @Override
    protected OutputStream createOutputStreamWithMode(
        Path path, boolean append, FsPermission permission) throws IOException {
      return new Writer(super.createOutputStreamWithMode(path, append, permission));
    }

    @Override
    public void setPermission(Path path, FsPermission permission) throws IOException {
      try {
        Files.setPosixFilePermissions(pathToFile(path).toPath(), posix(permission));
      } catch (UnsupportedOperationException e) {
        super.setPermission(path, permission);
      }
    }

    private static Set<PosixFilePermission> posix(FsPermission permission) {
      Set<PosixFilePermission> result = EnumSet.noneOf(PosixFilePermission.class);
      add(
          result,
          permission.getUserAction(),
          PosixFilePermission.OWNER_READ,
          PosixFilePermission.OWNER_WRITE,
          PosixFilePermission.OWNER_EXECUTE);
      add(
          result,
          permission.getGroupAction(),
          PosixFilePermission.GROUP_READ,
          PosixFilePermission.GROUP_WRITE,
          PosixFilePermission.GROUP_EXECUTE);
      add(
          result,
          permission.getOtherAction(),
          PosixFilePermission.OTHERS_READ,
          PosixFilePermission.OTHERS_WRITE,
          PosixFilePermission.OTHERS_EXECUTE);
      return result;
    }

    private static void add(
        Set<PosixFilePermission> result,
        FsAction action,
        PosixFilePermission read,
        PosixFilePermission write,
        PosixFilePermission execute) {
      if (action.implies(FsAction.READ)) {
        result.add(read);
      }
      if (action.implies(FsAction.WRITE)) {
        result.add(write);
      }
      if (action.implies(FsAction.EXECUTE)) {
        result.add(execute);
      }
    }
  }
}
