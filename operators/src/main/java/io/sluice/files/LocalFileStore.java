package io.sluice.files;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.iceberg.io.InputFile;

/** The local disk; every character that a file name may hold is taken as it is. */
final class LocalFileStore implements FileStore {

  static final LocalFileStore INSTANCE = new LocalFileStore();

  private LocalFileStore() {}

  @Override
  public Optional<Node> status(String path) throws IOException {
    try {
      BasicFileAttributes attributes =
          Files.readAttributes(toPath(path), BasicFileAttributes.class);
      if (attributes.isOther()) {
        // A pipe or a device would be read for ever.
        return Optional.empty();
      }
      return Optional.of(
          new Node(
              path,
              attributes.isDirectory(),
              attributes.size(),
              attributes.lastModifiedTime().toMillis()));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (java.nio.file.FileSystemException e) {
      if (e.getReason() != null && e.getReason().contains("Not a directory")) {
        return Optional.empty();
      }
      throw e;
    }
  }

  @Override
  public List<Node> children(String folder) throws IOException {
    List<Node> nodes = new ArrayList<>();
    try (Stream<Path> paths = Files.list(toPath(folder))) {
      for (Path path : (Iterable<Path>) paths::iterator) {
        status(path.toString()).ifPresent(nodes::add);
      }
    } catch (NoSuchFileException | NotDirectoryException e) {
      return List.of();
    } catch (java.io.UncheckedIOException e) {
      throw e.getCause();
    }
    return nodes;
  }

  @Override
  public InputFile input(String path, long length) {
    return org.apache.iceberg.Files.localInput(toPath(path).toFile());
  }

  private static Path toPath(String path) {
    return FileSystems.getDefault().getPath(path);
  }
}
