package io.sluice.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import org.apache.iceberg.io.SeekableInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On Flink's file system of the scheme {@code file}, which the product itself reads directly. */
class FlinkFileStoreTest {

  @TempDir Path folder;

  @Test
  void statusAndChildrenAreThoseOfTheFileSystem() throws IOException {
    Path file = folder.resolve("a b.json");
    Files.writeString(file, "0123456789");
    Files.setLastModifiedTime(file, FileTime.fromMillis(1_700_000_000_123L));
    Files.createDirectory(folder.resolve("sub"));

    assertThat(FlinkFileStore.INSTANCE.children("file:" + folder))
        .extracting(FileStore.Node::name, FileStore.Node::isFolder)
        .containsExactlyInAnyOrder(
            org.assertj.core.groups.Tuple.tuple("a b.json", false),
            org.assertj.core.groups.Tuple.tuple("sub", true));
    FileStore.Node node = FlinkFileStore.INSTANCE.status("file:" + file).orElseThrow();
    assertThat(node.toEntry()).isEqualTo(new FileEntry("file:" + file, 10, 1_700_000_000_123L));
    assertThat(FlinkFileStore.INSTANCE.status("file:" + folder + "/none")).isEmpty();
    assertThat(FlinkFileStore.INSTANCE.children("file:" + folder + "/none")).isEmpty();
  }

  @Test
  void filesAreReadFromAnyPosition() throws IOException {
    Path file = folder.resolve("a.json");
    Files.writeString(file, "0123456789");

    try (SeekableInputStream stream = FileStore.open(new FileEntry("file:" + file, 10, 0), 7)) {
      assertThat(stream.getPos()).isEqualTo(7);
      assertThat(stream.readAllBytes()).containsExactly('7', '8', '9');
      stream.seek(2);
      assertThat(stream.read()).isEqualTo('2');
    }
    assertThat(FlinkFileStore.INSTANCE.input("file:" + file, 10).exists()).isTrue();
    assertThat(FlinkFileStore.INSTANCE.input("file:" + file, 10).getLength()).isEqualTo(10);
  }
}
