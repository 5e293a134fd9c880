package io.sluice.sequencing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FileNumbersTest {

  private static final List<String> PLANNED = List.of("p0", "p1");

  @Test
  void files_of_the_plan_have_its_numbers() {
    FileNumbers files = new FileNumbers(PLANNED, 0, 8);
    files.keep(1);
    assertThat(files.path(0)).isEqualTo("p0");
    assertThat(files.entries()).containsExactly(new FileNumbers.Entry(1, "p1", 1));
    assertThatThrownBy(() -> files.path(2)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void numbers_are_unique_over_subtasks_and_after_a_restore() {
    Set<Long> given = new HashSet<>();
    long next = 0;
    for (int subtask : new int[] {0, 4}) {
      FileNumbers files = new FileNumbers(PLANNED, subtask, 8);
      for (int i = 0; i < 20; i++) {
        assertThat(given.add(files.keepWritten("f" + subtask + i))).isTrue();
      }
      next = Math.max(next, files.next());
    }
    for (int subtask : new int[] {0, 2, 4, 6}) {
      FileNumbers files = new FileNumbers(PLANNED, subtask, 8);
      files.restoreNext(next);
      for (int i = 0; i < 20; i++) {
        assertThat(given.add(files.keepWritten("g" + subtask + i))).isTrue();
      }
    }
    assertThat(given).allMatch(number -> number < FileNumbers.PENDING);
  }

  @Test
  void a_file_leaves_with_its_last_row_and_comes_back_while_it_is_written() {
    FileNumbers files = new FileNumbers(PLANNED, 3, 8);
    long number = files.keepWritten("f");
    assertThat(files.keepWritten("f")).isEqualTo(number);
    files.drop(number);
    assertThat(files.entries()).hasSize(1);
    files.drop(number);
    assertThat(files.entries()).isEmpty();
    assertThat(files.keepWritten("f")).isEqualTo(number);
    assertThat(files.path(number)).isEqualTo("f");
    files.finished();
    assertThat(files.keepWritten("f")).isNotEqualTo(number);
  }

  @Test
  void rows_of_restored_files_are_counted_anew() {
    FileNumbers files = new FileNumbers(PLANNED, 0, 8);
    files.restorePath(new FileNumbers.Entry(-5, "mine", 7));
    files.restorePath(new FileNumbers.Entry(-6, "of others", 7));
    files.keep(-5);
    files.dropEmpty();
    assertThat(files.entries()).containsExactly(new FileNumbers.Entry(-5, "mine", 1));
  }
}
