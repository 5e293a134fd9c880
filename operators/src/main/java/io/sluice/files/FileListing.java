package io.sluice.files;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.SluiceException;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * Finds the files of a read (semantics 17.4).
 *
 * <p>A glob is strict: each level of it matches one level of folders. What it matches is read
 * whole: a file itself, a folder with everything below it. Names that begin with {@code _} or
 * {@code .} are left out, unless the path itself spells them so.
 */
public final class FileListing {

  private static final int MAX_DEPTH = 64;

  private final Predicate<FileEntry> wanted;
  private final TreeMap<String, FileEntry> found = new TreeMap<>();

  private FileListing(Predicate<FileEntry> wanted) {
    this.wanted = wanted;
  }

  /**
   * The files that the options name now, sorted by path; empty files are among them.
   *
   * @throws SluiceException SOURCE_NOT_FOUND where the literal beginning of the path does not
   *     exist, STORAGE where a folder cannot be read
   */
  public static List<FileEntry> list(ReadFilesOptions options) {
    FileListing listing = new FileListing(filter(options));
    for (String path : Glob.expand(options.path())) {
      SourcePath source = SourcePath.parse(path);
      try {
        listing.start(source, options.path());
      } catch (IOException e) {
        throw FileStore.failed(source.base(), e);
      }
    }
    return List.copyOf(listing.found.values());
  }

  private static Predicate<FileEntry> filter(ReadFilesOptions options) {
    Optional<Pattern> name =
        options.pathGlobFilter().map(glob -> Glob.compile(glob, "pathGlobFilter"));
    return file -> {
      Instant modified = Instant.ofEpochMilli(file.modificationTimeMs());
      return name.map(pattern -> pattern.matcher(file.name()).matches()).orElse(true)
          && options.modifiedAfter().map(modified::isAfter).orElse(true)
          && options.modifiedBefore().map(modified::isBefore).orElse(true);
    };
  }

  private void start(SourcePath source, String written) throws IOException {
    FileStore store = FileStore.of(source.base());
    FileStore.Node base =
        store
            .status(source.base())
            .orElseThrow(
                () ->
                    new SluiceException(
                        ErrorCode.SOURCE_NOT_FOUND,
                        "read_files('" + written + "'): there is no '" + source.base() + "'",
                        "Correct the path, or create the folder (it may be empty)."));
    match(store, base, source.globs(), 0);
  }

  private void match(FileStore store, FileStore.Node node, List<String> globs, int depth)
      throws IOException {
    if (globs.isEmpty()) {
      collect(store, node, depth);
      return;
    }
    if (!node.isFolder()) {
      return;
    }
    String glob = globs.get(0);
    boolean spelledHidden = isHidden(glob);
    Pattern pattern = Glob.compile(glob, "the path");
    for (FileStore.Node child : store.children(node.path())) {
      if (pattern.matcher(child.name()).matches() && (spelledHidden || !isHidden(child.name()))) {
        match(store, child, globs.subList(1, globs.size()), depth + 1);
      }
    }
  }

  private void collect(FileStore store, FileStore.Node node, int depth) throws IOException {
    if (!node.isFolder()) {
      FileEntry file = node.toEntry();
      if (wanted.test(file)) {
        found.put(file.path(), file);
      }
      return;
    }
    if (depth > MAX_DEPTH) {
      throw new IOException(
          "more than " + MAX_DEPTH + " folders inside each other; is there a link in a circle?");
    }
    for (FileStore.Node child : store.children(node.path())) {
      if (!isHidden(child.name())) {
        collect(store, child, depth + 1);
      }
    }
  }

  private static boolean isHidden(String name) {
    return name.startsWith("_") || name.startsWith(".");
  }
}
