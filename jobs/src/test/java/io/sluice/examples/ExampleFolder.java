package io.sluice.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.run.UpdateResult;
import io.sluice.run.Workbench;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** One of the folders in {@code examples}, whose pipelines run on a bench. */
record ExampleFolder(Path path) {

  static ExampleFolder named(String name) {
    return new ExampleFolder(Path.of("..", "examples", name));
  }

  /** Runs an update of a pipeline file; its variables are set as {@code --set} does. */
  UpdateResult update(Workbench bench, String pipeline, Map<String, String> variables) {
    UpdateResult result = bench.update(read(path.resolve(pipeline)), variables, options -> options);
    assertThat(result.failures()).isEmpty();
    return result;
  }

  /** Copies files of the example into a folder, which is made; modification times stay. */
  void copy(String from, Path folder, String... names) {
    for (String name : names) {
      copy(path.resolve(from).resolve(name), folder.resolve(name));
    }
  }

  /** Copies every file of a folder of the example into another one. */
  void copyAll(String from, Path folder) {
    try (Stream<Path> files = Files.list(path.resolve(from))) {
      files.forEach(file -> copy(file, folder.resolve(file.getFileName())));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Runs a script of the example to its end. */
  void script(String name, String... arguments) {
    List<String> command =
        Stream.concat(
                Stream.of("bash", path.resolve(name).toAbsolutePath().toString()),
                Stream.of(arguments))
            .toList();
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      String output = new String(process.getInputStream().readAllBytes());
      assertThat(process.waitFor()).as(output).isZero();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** The lines of every file in a folder of the example. */
  List<String> lines(String folder) {
    try (Stream<Path> files = Files.list(path.resolve(folder))) {
      return files.sorted().flatMap(file -> read(file).lines()).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void copy(Path from, Path to) {
    try {
      Files.createDirectories(to.getParent());
      Files.copy(from, to, StandardCopyOption.COPY_ATTRIBUTES);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
