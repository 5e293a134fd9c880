package io.sluice.files;

import java.nio.file.FileSystems;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A path without alternatives, cut into the folder or file that it surely names and the globs
 * below.
 *
 * @param base canonical absolute path of the literal beginning
 * @param globs one glob or literal name per level below the base; empty where the path is no glob
 */
record SourcePath(String base, List<String> globs) {

  private static final Pattern SCHEME = Pattern.compile("[a-zA-Z][a-zA-Z0-9+.-]*://.*");

  static SourcePath parse(String path) {
    String absolute = absolute(path);
    int rootEnd = absolute.startsWith("/") ? 1 : endOfAuthority(absolute);
    String root = absolute.substring(0, rootEnd);
    List<String> parts =
        Arrays.stream(absolute.substring(rootEnd).split("/"))
            .filter(part -> !part.isEmpty())
            .toList();
    int literals = 0;
    List<String> names = new ArrayList<>();
    while (literals < parts.size() && !isPattern(parts.get(literals))) {
      names.add(Glob.literal(parts.get(literals)));
      literals++;
    }
    String base = root + String.join("/", names);
    return new SourcePath(base, parts.subList(literals, parts.size()));
  }

  /** Local paths without scheme, made absolute and without {@code ..}; others as they are. */
  private static String absolute(String path) {
    if (SCHEME.matcher(path).matches() && !path.startsWith("file://")) {
      return path;
    }
    String local = path.replaceFirst("^file:(//)?", "");
    return FileSystems.getDefault().getPath(local).toAbsolutePath().normalize().toString();
  }

  private static int endOfAuthority(String path) {
    int slash = path.indexOf('/', path.indexOf("://") + 3);
    return slash < 0 ? path.length() : slash + 1;
  }

  /** Whether a level needs matching; a name with escaped characters only does not. */
  static boolean isPattern(String part) {
    return Glob.isGlob(part.replaceAll("\\\\.", ""));
  }
}
