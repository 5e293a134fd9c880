package io.sluice.table;

import static io.sluice.table.TestRows.commit;
import static io.sluice.table.TestRows.locations;
import static io.sluice.table.TestRows.rows;
import static io.sluice.table.TestRows.write;
import static io.sluice.table.TestRows.writeIds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.SluiceException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.iceberg.Table;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class OrphanFilesTest {

  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource(TestSetup.class)
  void oldFilesThatNothingNeedsGoAndAllOthersStay(TestSetup setup) throws IOException {
    Table table = used(setup);
    Set<Path> needed = files(table);
    Path orphan = plant(table, "data/orphan.parquet", Duration.ofDays(4));
    Path metadata = plant(table, "metadata/orphan.avro", Duration.ofDays(4));
    Path young = plant(table, "data/young.parquet", Duration.ofDays(2));
    Path elsewhere = plant(table, "notes/mine.txt", Duration.ofDays(40));
    for (Path file : needed) {
      age(file, Duration.ofDays(5));
    }
    OrphanFiles.Removed removed = OrphanFiles.remove(table, Duration.ofDays(3));
    assertThat(removed).isEqualTo(new OrphanFiles.Removed(2, 12));
    assertThat(orphan).doesNotExist();
    assertThat(metadata).doesNotExist();
    assertThat(young).exists();
    assertThat(elsewhere).exists();
    assertThat(needed).allSatisfy(file -> assertThat(file).exists());
    assertThat(OrphanFiles.remove(table, Duration.ofDays(3)).files()).isZero();
    assertThat(rows(table, "id")).hasSize(5);
  }

  @ParameterizedTest
  @EnumSource(TestSetup.class)
  void nothingGoesWhereTheMetadataCannotBeRead(TestSetup setup) throws IOException {
    Table table = used(setup);
    Path orphan = plant(table, "data/orphan.parquet", Duration.ofDays(4));
    Files.delete(
        Path.of(
            table
                .currentSnapshot()
                .allManifests(table.io())
                .get(0)
                .path()
                .replaceFirst("^file:", "")));
    assertThatThrownBy(() -> OrphanFiles.remove(table, Duration.ofDays(3)))
        .isInstanceOfSatisfying(
            SluiceException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.STORAGE));
    assertThat(orphan).exists();
  }

  /** A table with deletes, a rewrite and older snapshots. */
  private Table used(TestSetup setup) {
    Table table = setup.createIdName(folder);
    for (int i = 0; i < 6; i++) {
      commit(table, writeIds(table, i, i + 1), "c" + i);
    }
    new FileRewrite(attempt -> {}).rewrite(table, 1);
    TreeMap<Object, RowLocation> known = locations(table, "id");
    commit(table, write(table, writer -> writer.delete(known.get(3L))), "d");
    return table;
  }

  private static Path plant(Table table, String name, Duration age) throws IOException {
    Path file = root(table).resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, "orphan");
    age(file, age);
    return file;
  }

  private static void age(Path file, Duration age) throws IOException {
    Files.setLastModifiedTime(file, FileTime.from(Instant.now().minus(age)));
  }

  private static Path root(Table table) {
    return Path.of(table.location().replaceFirst("^file:", ""));
  }

  /** Without Hadoop's checksums, which it keeps and removes with their files. */
  private static Set<Path> files(Table table) throws IOException {
    try (Stream<Path> files = Files.walk(root(table))) {
      return files
          .filter(Files::isRegularFile)
          .filter(file -> !file.getFileName().toString().endsWith(".crc"))
          .collect(Collectors.toSet());
    }
  }
}
