package io.sluice.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.SluiceException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FileListingTest {

  @TempDir Path root;

  @BeforeEach
  void setRealRoot() throws IOException {
    root = root.toRealPath();
  }

  private void write(String... names) throws IOException {
    for (String name : names) {
      Path file = root.resolve(name);
      Files.createDirectories(file.getParent());
      Files.writeString(file, "{}\n");
    }
  }

  private List<String> list(String pattern, String... options) {
    Map<String, String> map = new HashMap<>(Map.of("format", "json"));
    for (int index = 0; index < options.length; index += 2) {
      map.put(options[index], options[index + 1]);
    }
    ReadFilesOptions parsed = ReadFilesOptions.of(root + "/" + pattern, map);
    return FileListing.list(parsed).stream()
        .map(file -> root.relativize(Path.of(file.path())).toString())
        .toList();
  }

  @Test
  void aFolderIsEverythingBelowItSortedByPath() throws IOException {
    write("b.json", "a/z.json", "a/b/c/d.json", "c.json");

    assertThat(list("")).containsExactly("a/b/c/d.json", "a/z.json", "b.json", "c.json");
  }

  @Test
  void aFileIsItself() throws IOException {
    write("a/x.json", "a/y.json");

    assertThat(list("a/x.json")).containsExactly("a/x.json");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a/b* | a/b.txt a/b/file.txt a/b/x/y/c/file.txt",
        "a/*/c/ | a/q/c/file.txt",
        "a/*/* | a/b/file.txt a/b/x/y/c/file.txt a/q/c/file.txt",
        "a/?.txt | a/b.txt",
        "a/[a-c].txt | a/b.txt",
        "a/[^a-c]/c | a/q/c/file.txt",
        "a/{b.txt,q/c} | a/b.txt a/q/c/file.txt",
        "{a/b,a/q}/* | a/b/file.txt a/b/x/y/c/file.txt a/q/c/file.txt",
        "a/nothing* | ''",
        "a/b.txt/* | ''",
      })
  void globsAreStrict(String glob, String expected) throws IOException {
    write("a/b.txt", "a/b/file.txt", "a/b/x/y/c/file.txt", "a/q/c/file.txt");

    List<String> wanted = expected.isEmpty() ? List.of() : List.of(expected.split(" "));
    assertThat(list(glob)).containsExactlyElementsOf(wanted);
  }

  @Test
  void escapedCharactersMeanThemselves() throws IOException {
    write("a*b/x.json", "aXb/y.json", "[1]/z.json");

    assertThat(list("a\\*b")).containsExactly("a*b/x.json");
    assertThat(list("\\[1\\]/*")).containsExactly("[1]/z.json");
  }

  @Test
  void hiddenNamesAreLeftOutUnlessThePathSpellsThem() throws IOException {
    write("_in/a.json", "_in/_SUCCESS", "_in/.tmp/b.json", "_in/_log/c.json", "_in/x/.d.json");

    assertThat(list("")).isEmpty();
    assertThat(list("*")).isEmpty();
    assertThat(list("_in")).containsExactly("_in/a.json");
    assertThat(list("_*/a.json")).containsExactly("_in/a.json");
  }

  @Test
  void namesWithBlanksColonsPercentAndUnicodeAreListedAsTheyAre() throws IOException {
    write("2025-01-01T10:00:00/a b.json", "100%/c#d.json", "straße/日本.json", "back\\slash.json");

    assertThat(list(""))
        .containsExactlyInAnyOrder(
            "2025-01-01T10:00:00/a b.json", "100%/c#d.json", "straße/日本.json", "back\\slash.json");
  }

  @Test
  void modifiedAfterAndBeforeExcludeTheirOwnInstant() throws IOException {
    write("1.json", "2.json", "3.json");
    Instant middle = Instant.parse("2025-01-01T00:00:00.500Z");
    setModified("1.json", middle.minusMillis(1));
    setModified("2.json", middle);
    setModified("3.json", middle.plusMillis(1));

    assertThat(list("", "modifiedAfter", middle.toString())).containsExactly("3.json");
    assertThat(list("", "modifiedBefore", middle.toString())).containsExactly("1.json");
    assertThat(list("", "modifiedAfter", "2025-01-01", "modifiedBefore", "2025-01-02"))
        .containsExactly("1.json", "2.json", "3.json");
  }

  private void setModified(String name, Instant instant) throws IOException {
    Files.setLastModifiedTime(root.resolve(name), FileTime.from(instant));
  }

  @Test
  void pathGlobFilterLooksAtTheNameOfTheFile() throws IOException {
    write("a/x.json", "a/x.csv", "b.json/y.txt");

    assertThat(list("", "pathGlobFilter", "*.{json,ndjson}")).containsExactly("a/x.json");
  }

  @Test
  void entriesCarrySizeAndModificationTime() throws IOException {
    write("a.json");
    Files.writeString(root.resolve("empty.json"), "");
    setModified("a.json", Instant.ofEpochMilli(1_700_000_000_123L));

    List<FileEntry> files =
        FileListing.list(ReadFilesOptions.of(root.toString(), Map.of("format", "json")));

    assertThat(files.get(0)).isEqualTo(new FileEntry(root + "/a.json", 3, 1_700_000_000_123L));
    assertThat(files.get(1).size()).isZero();
  }

  @Test
  void aMissingPathIsAnErrorAndAFolderWithoutFilesIsNot() throws IOException {
    Files.createDirectories(root.resolve("empty/below"));

    assertThat(list("empty")).isEmpty();
    assertThatThrownBy(() -> list("missing/*/*.json"))
        .isInstanceOfSatisfying(
            SluiceException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.SOURCE_NOT_FOUND))
        .hasMessageContaining("there is no '" + root + "/missing'");
  }

  @Test
  void anUnknownSchemeIsAnErrorThatNamesIt() {
    ReadFilesOptions options = ReadFilesOptions.of("nosuch://host/in/*", Map.of("format", "json"));

    assertThatThrownBy(() -> FileListing.list(options))
        .isInstanceOfSatisfying(
            SluiceException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.SOURCE_NOT_FOUND))
        .hasMessageContaining("nosuch");
  }

  @Test
  void pathsBecomeAbsoluteAndCanonical() throws IOException {
    write("a/x.json");

    assertThat(list("a/../a/./x.json")).containsExactly("a/x.json");
    for (String prefix : List.of("file:", "file://")) {
      assertThat(FileListing.list(ReadFilesOptions.of(prefix + root + "/a/*.json", Map.of())))
          .singleElement()
          .extracting(FileEntry::path)
          .isEqualTo(root + "/a/x.json");
    }
    Path relative = Path.of("").toAbsolutePath().relativize(root);
    assertThat(FileListing.list(ReadFilesOptions.of(relative + "/a/x.json", Map.of())))
        .singleElement()
        .extracting(FileEntry::path)
        .isEqualTo(root + "/a/x.json");
  }

  @Test
  void foldersInACircleAreAnErrorNotAnEndlessWalk() throws IOException {
    write("a/x.json");
    Files.createSymbolicLink(root.resolve("a/again"), root.resolve("a"));

    assertThatThrownBy(() -> list("a"))
        .isInstanceOfSatisfying(
            SluiceException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.STORAGE));
  }
}
