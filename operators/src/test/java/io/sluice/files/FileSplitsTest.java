package io.sluice.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class FileSplitsTest {

  private static ReadFilesOptions options(Format format) {
    return ReadFilesOptions.of("/in", Map.of("format", format.name()));
  }

  @ParameterizedTest
  @EnumSource(Format.class)
  void splitsCoverEveryByteOnceWhateverTheTarget(Format format) {
    List<FileEntry> files =
        List.of(
            new FileEntry("/in/b", 100, 1),
            new FileEntry("/in/a.gz", 7, 1),
            new FileEntry("/in/c", 0, 1),
            new FileEntry("/in/d", 1, 1));
    for (long target = 1; target <= 110; target++) {
      List<FileSplit> splits = new ArrayList<>(FileSplits.split(files, options(format), target));
      splits.sort(Comparator.comparing(FileSplit::file).thenComparingLong(FileSplit::start));
      for (FileEntry file : files) {
        long next = 0;
        for (FileSplit split : splits) {
          if (split.file().equals(file)) {
            assertThat(split.start()).isEqualTo(next);
            assertThat(split.length()).isPositive();
            next = split.end();
          }
        }
        assertThat(next).isEqualTo(file.size());
      }
    }
  }

  @Test
  void theLargestComeFirstAndOrdinalsFollowThePath() {
    List<FileSplit> splits =
        FileSplits.split(
            List.of(
                new FileEntry("/z", 10, 1), new FileEntry("/m", 30, 1), new FileEntry("/a", 20, 1)),
            options(Format.AVRO),
            5);

    assertThat(splits).extracting(split -> split.file().path()).containsExactly("/m", "/a", "/z");
    assertThat(splits).extracting(FileSplit::ordinal).containsExactly(1, 0, 2);
  }

  @Test
  void partsOfAFileAreOfEqualLength() {
    assertThat(FileSplits.split(List.of(new FileEntry("/a", 101, 1)), options(Format.JSON), 100))
        .extracting(FileSplit::length)
        .containsExactly(51L, 50L);
  }

  @Test
  void compressedFilesStayWhole() {
    assertThat(FileSplits.split(List.of(new FileEntry("/a.gz", 99, 1)), options(Format.JSON), 10))
        .containsExactly(new FileSplit(new FileEntry("/a.gz", 99, 1), 0, 0, 99));
  }
}
