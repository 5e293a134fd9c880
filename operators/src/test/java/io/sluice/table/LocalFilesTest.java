package io.sluice.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.permission.FsPermission;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalFilesTest {

  @TempDir Path folder;

  @Test
  void permissionsAreThoseThatHadoopWouldSet() throws IOException {
    Configuration plain = new Configuration();
    Configuration ours = new Configuration();
    ours.set(LocalFiles.PROPERTY, LocalFiles.class.getName());
    try (FileSystem hadoop = FileSystem.newInstance(folder.toUri(), plain);
        FileSystem local = FileSystem.newInstance(folder.toUri(), ours)) {
      assertThat(local).isInstanceOf(LocalFiles.class);
      for (String mode : new String[] {"644", "600", "751", "020"}) {
        Path first = Files.createFile(folder.resolve("hadoop" + mode));
        Path second = Files.createFile(folder.resolve("ours" + mode));
        FsPermission permission = new FsPermission(mode);
        hadoop.setPermission(new org.apache.hadoop.fs.Path(first.toUri()), permission);
        local.setPermission(new org.apache.hadoop.fs.Path(second.toUri()), permission);
        assertThat(Files.getPosixFilePermissions(second))
            .isEqualTo(Files.getPosixFilePermissions(first));
      }
    }
  }

  @Test
  void writtenFilesAreReadBack() throws IOException {
    Configuration ours = new Configuration();
    ours.set(LocalFiles.PROPERTY, LocalFiles.class.getName());
    try (FileSystem local = FileSystem.newInstance(folder.toUri(), ours)) {
      org.apache.hadoop.fs.Path file =
          new org.apache.hadoop.fs.Path(folder.resolve("deep/er/file").toUri());
      try (var output = local.create(file, false)) {
        output.writeUTF("content");
      }
      try (var input = local.open(file)) {
        assertThat(input.readUTF()).isEqualTo("content");
      }
      assertThat(
              PosixFilePermissions.toString(
                  Files.getPosixFilePermissions(folder.resolve("deep/er/file"))))
          .startsWith("rw-");
      assertThat(local.delete(file, false)).isTrue();
    }
  }

  @Test
  void aWriteOnAFullDiskFailsAsStreamsDo() throws IOException {
    Path full = Path.of("/dev/full");
    assumeTrue(Files.exists(full), "this machine has no /dev/full");
    try (LocalFiles local = new LocalFiles()) {
      local.initialize(folder.toUri(), new Configuration());
      var output = local.getRaw().append(new org.apache.hadoop.fs.Path(full.toUri()));
      output.write(1);
      assertThatThrownBy(output::flush)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("No space left");
    }
  }
}
