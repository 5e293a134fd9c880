package io.sluice.continuous;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.files.FileEntry;
import io.sluice.files.ReadFilesOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileArrivalsTest {

  @TempDir private Path folder;

  private Arrivals.Search<FileEntry> search(List<FileEntry> known, List<FileEntry> handedOut) {
    ReadFilesOptions options =
        ReadFilesOptions.of(folder.toString(), Map.of("format", "json", "schema", "id INT"));
    return new FileArrivals(options, known).open(handedOut);
  }

  private void write(String name, String text, long modifiedMs) throws IOException {
    Path file = Files.writeString(folder.resolve(name), text);
    Files.setLastModifiedTime(file, FileTime.fromMillis(modifiedMs));
  }

  private static List<String> names(List<FileEntry> files) {
    return files.stream().map(FileEntry::name).toList();
  }

  @Test
  void a_file_arrives_once_two_looks_find_it_unchanged_and_older_ones_first() throws IOException {
    Arrivals.Search<FileEntry> search = search(List.of(), List.of());
    write("a.json", "1", 3_000);
    write("b.json", "1", 2_000);
    assertThat(search.next()).isEmpty();
    write("a.json", "12", 4_000);
    write("c.json", "1", 1_000);
    assertThat(names(search.next())).containsExactly("b.json");
    assertThat(names(search.next())).containsExactly("c.json", "a.json");
    assertThat(search.next()).isEmpty();
  }

  @Test
  void what_was_read_before_or_handed_out_does_not_arrive_again() throws IOException {
    write("a.json", "1", 1_000);
    write("b.json", "1", 2_000);
    write("c.json", "1", 3_000);
    Arrivals.Search<FileEntry> all = search(List.of(), List.of());
    all.next();
    List<FileEntry> files = all.next();
    Arrivals.Search<FileEntry> rest = search(files.subList(0, 1), files.subList(1, 2));
    rest.next();
    assertThat(names(rest.next())).containsExactly("c.json");
    write("a.json", "changed", 4_000);
    rest.next();
    assertThat(names(rest.next())).containsExactly("a.json");
  }
}
