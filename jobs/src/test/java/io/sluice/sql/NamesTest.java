package io.sluice.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NamesTest {

  private static final List<String> KNOWN =
      List.of("format", "schema", "modifiedAfter", "modifiedBefore", "id");

  @ParameterizedTest
  @CsvSource({
    "fromat, format",
    "FORMT, format",
    "shcema, schema",
    "modifidAfter, modifiedAfter",
    "modified_before, modifiedBefore",
    "ids, id"
  })
  void theNearestNameIsFound(String wanted, String nearest) {
    assertThat(Names.nearest(wanted, KNOWN)).contains(nearest);
  }

  @ParameterizedTest
  @CsvSource({"header", "xyz", "a", "modified"})
  void distantNamesAreNotOffered(String wanted) {
    assertThat(Names.nearest(wanted, KNOWN)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"abc, abc, 0", "abc, acb, 1", "abc, ab, 1", "abc, xbc, 1", "ca, abc, 3", "'', ab, 2"})
  void neighboursThatSwapCountOnce(String left, String right, int distance) {
    assertThat(Names.distance(left, right)).isEqualTo(distance);
    assertThat(Names.distance(right, left)).isEqualTo(distance);
  }

  @Test
  void qualifiedNamesAreEqualWhateverTheirCase() {
    QualifiedName name = QualifiedName.of("Lake", "web", "Visits");

    assertThat(name).isEqualTo(QualifiedName.of("lake", "WEB", "visits"));
    assertThat(name).hasSameHashCodeAs(QualifiedName.of("lake", "WEB", "visits"));
    assertThat(name).isNotEqualTo(QualifiedName.of("web", "visits"));
    assertThat(name.last()).isEqualTo("Visits");
    assertThat(name.quoted()).isEqualTo("`Lake`.`web`.`Visits`");
    assertThat(QualifiedName.of("a b", "c`d", "e")).hasToString("`a b`.`c``d`.e");
  }
}
