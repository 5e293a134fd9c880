package io.sluice.faults;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A file system of its own, of a few megabytes, for tests that may mount one. */
final class SmallDisk implements AutoCloseable {

  private final Path folder;

  private SmallDisk(Path folder) {
    this.folder = folder;
  }

  /** Mounts one, or skips the test where that is not permitted. */
  static SmallDisk mount(Path folder, String size) throws IOException {
    Files.createDirectories(folder);
    assumeTrue(
        run("mount", "-t", "tmpfs", "-o", "size=" + size, "tmpfs", folder.toString()),
        "this machine does not let tests mount file systems");
    return new SmallDisk(folder);
  }

  /** Changes its options: {@code ro}, {@code rw}, {@code size=64m}. */
  void remount(String options) {
    assumeTrue(run("mount", "-o", "remount," + options, folder.toString()), "remount");
  }

  private static boolean run(String... command) {
    try {
      Process process =
          new ProcessBuilder(List.of(command))
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      return process.waitFor() == 0;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  @Override
  public void close() {
    run("umount", "-l", folder.toString());
  }
}
