package io.sluice.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A page of the documentation.
 *
 * @param path where it lies
 * @param lines its text
 */
record Page(Path path, List<String> lines) {

  /** The root of the project, seen from the folder of a module, in which tests run. */
  static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  private static final Pattern LINK = Pattern.compile("\\[[^\\]]*]\\(([^)\\s]+)\\)");

  /**
   * A fenced block.
   *
   * @param line its first line, counted from 1
   * @param language what stands behind the fence, may be empty
   * @param text its content
   */
  record Block(int line, String language, String text) {}

  static Page read(Path path) {
    try {
      return new Page(path, Files.readAllLines(path));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** README.md and every page of docs. */
  static List<Page> all() {
    try (Stream<Path> files = Files.walk(ROOT.resolve("docs"))) {
      List<Page> pages = new ArrayList<>(List.of(read(ROOT.resolve("README.md"))));
      files
          .filter(file -> file.toString().endsWith(".md"))
          .sorted()
          .forEach(file -> pages.add(read(file)));
      return List.copyOf(pages);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  String text() {
    return String.join("\n", lines);
  }

  /** The name of the page in messages. */
  String name() {
    return ROOT.relativize(path).toString();
  }

  List<Block> blocks() {
    List<Block> blocks = new ArrayList<>();
    int start = -1;
    for (int i = 0; i < lines.size(); i++) {
      if (!lines.get(i).strip().startsWith("```")) {
        continue;
      }
      if (start < 0) {
        start = i;
      } else {
        String language = lines.get(start).strip().substring(3).strip();
        blocks.add(new Block(start + 2, language, String.join("\n", lines.subList(start + 1, i))));
        start = -1;
      }
    }
    if (start >= 0) {
      throw new IllegalStateException(name() + ":" + (start + 1) + ": the block is not closed");
    }
    return blocks;
  }

  /** The targets of links to files of the project, with anchors, outside of blocks. */
  List<String> relativeLinks() {
    String prose = text().replaceAll("(?s)```.*?```", "");
    Matcher matcher = LINK.matcher(prose);
    List<String> links = new ArrayList<>();
    while (matcher.find()) {
      if (!matcher.group(1).matches("[a-z]+:.*")) {
        links.add(matcher.group(1));
      }
    }
    return links;
  }

  /** The anchors of the headings, as GitHub makes them. */
  List<String> anchors() {
    return lines.stream()
        .filter(line -> line.matches("#+ .*"))
        .map(line -> line.replaceFirst("#+ ", "").toLowerCase(java.util.Locale.ROOT))
        .map(title -> title.replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-'))
        .collect(Collectors.toList());
  }
}
