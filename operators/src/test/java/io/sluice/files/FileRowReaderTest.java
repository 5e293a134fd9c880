package io.sluice.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.SluiceException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Map;
import org.apache.flink.table.data.RowData;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FileRowReaderTest {

  private static final FileSchema SCHEMA = FileSchema.declared("id INT");

  @TempDir Path folder;
  private Path file;
  private ReadFilesOptions options;

  @BeforeEach
  void writeFile() throws IOException {
    folder = folder.toRealPath();
    file = folder.resolve("in.json");
    Files.writeString(file, "{\"id\":1}\n{\"id\":2}\n");
    Files.setLastModifiedTime(file, FileTime.fromMillis(1_700_000_000_123L));
    options = ReadFilesOptions.of(file.toString(), Map.of());
  }

  private List<FileSplit> plan() {
    return FileSplits.split(FileListing.list(options), options, Long.MAX_VALUE);
  }

  private void assertChanged(List<FileSplit> planned, String found) {
    assertThatThrownBy(() -> Reading.of(options, SCHEMA, false, planned))
        .isInstanceOfSatisfying(
            SluiceException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.SOURCE_CHANGED))
        .hasMessageContaining(file.toString())
        .hasMessageContaining("planned with 18 bytes modified at 2023-11-14T22:13:20.123Z")
        .hasMessageContaining("found " + found);
  }

  @Test
  void aFileThatVanishedIsAnError() throws IOException {
    List<FileSplit> planned = plan();
    Files.delete(file);

    assertChanged(planned, "nothing there");
  }

  @Test
  void aFileOfAnotherSizeIsAnError() throws IOException {
    List<FileSplit> planned = plan();
    Files.writeString(file, "{\"id\":1}\n");
    Files.setLastModifiedTime(file, FileTime.fromMillis(1_700_000_000_123L));

    assertChanged(planned, "9 bytes");
  }

  @Test
  void aFileOfTheSameSizeWrittenAgainIsAnError() throws IOException {
    List<FileSplit> planned = plan();
    Files.writeString(file, "{\"id\":3}\n{\"id\":4}\n");

    assertChanged(planned, "18 bytes modified at");
  }

  @Test
  void aFileThatChangesWhileItIsReadIsAnError() {
    List<FileSplit> planned = plan();
    FileRowReader reader = new FileRowReader(options, SCHEMA, false);

    assertThatThrownBy(
            () ->
                reader.read(
                    planned.get(0),
                    new RowSink() {
                      @Override
                      public void row(RowData row, long offset) {
                        try {
                          Files.writeString(file, "{\"id\":3}\n{\"id\":4}\n{\"id\":5}\n");
                        } catch (IOException e) {
                          throw new AssertionError(e);
                        }
                      }

                      @Override
                      public void malformed(String reason, String raw, long offset) {}
                    }))
        .isInstanceOfSatisfying(
            SluiceException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.SOURCE_CHANGED));
  }

  @Test
  void whatTheReceiverThrowsIsPassedOnAsItIs() {
    FileRowReader reader = new FileRowReader(options, SCHEMA, false);
    IllegalStateException thrown = new IllegalStateException("downstream");

    assertThatThrownBy(
            () ->
                reader.read(
                    plan().get(0),
                    new RowSink() {
                      @Override
                      public void row(RowData row, long offset) {
                        throw thrown;
                      }

                      @Override
                      public void malformed(String reason, String raw, long offset) {}
                    }))
        .isSameAs(thrown);
  }

  @ParameterizedTest
  @EnumSource(Format.class)
  void anEmptyFileIsListedAndGivesNoRows(Format format) throws IOException {
    Files.writeString(file, "");
    options =
        ReadFilesOptions.of(file.toString(), Map.of("format", format.name(), "schema", "id INT"));

    FileEntry entry = FileListing.list(options).get(0);

    assertThat(FileSplits.split(List.of(entry), options, 100)).isEmpty();
    assertThat(Reading.of(options, SCHEMA, false, List.of(new FileSplit(entry, 0, 0, 0))).rows)
        .isEmpty();
  }

  @Test
  void metadataTellsWhichFileARowComesFrom() {
    Reading reading = Reading.of(options, SCHEMA, true, plan());

    assertThat(reading.type.asSummaryString())
        .isEqualTo(
            "ROW<`id` INT, `_metadata` ROW<`file_path` STRING, `file_name` STRING, `file_size`"
                + " BIGINT, `file_modification_time` TIMESTAMP_LTZ(3)>> NOT NULL");
    assertThat(reading.json("_metadata"))
        .containsOnly(
            "{\"file_path\":\""
                + file
                + "\",\"file_name\":\"in.json\",\"file_size\":18,"
                + "\"file_modification_time\":\"2023-11-14T22:13:20.123Z\"}");
  }

  @Test
  void theReaderTellsHowManyBytesItRead() {
    FileRowReader reader = new FileRowReader(options, SCHEMA, false);
    FileSplit split = plan().get(0);
    Reading sink = Reading.of(options, SCHEMA, false, List.of());

    assertThat(reader.read(split, sink)).isEqualTo(18);
  }

  @Test
  void oneReaderReadsFilesOfDifferentFoldersOneAfterTheOther() throws IOException {
    for (String name : List.of("y=1/a.json", "b.json", "y=2/c.json")) {
      Path path = folder.resolve("tree").resolve(name);
      Files.createDirectories(path.getParent());
      Files.writeString(path, "{\"id\":1}\n");
    }

    Reading reading = Reading.of(folder.resolve("tree").toString(), Map.of("format", "json"));

    assertThat(reading.json("y")).containsExactly("null", "1", "2");
  }
}
