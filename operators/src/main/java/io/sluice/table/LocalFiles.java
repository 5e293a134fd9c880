package io.sluice.table;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.Set;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.fs.permission.FsPermission;

/**
 * Hadoop's local file system without its cost: without Hadoop's native library the original starts
 * a {@code chmod} process for every file that is written, several per commit. Set as {@code
 * fs.file.impl}.
 */
public final class LocalFiles extends LocalFileSystem {

  /** The Hadoop property that this class is a value of. */
  public static final String PROPERTY = "fs.file.impl";

  public LocalFiles() {
    super(new Raw());
  }

  private static final class Raw extends RawLocalFileSystem {

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
