package io.sluice.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class GuessTest {

  private static List<Guess> world() {
    List<Guess> scalars = List.of(Guess.Scalar.values());
    List<Guess> world = new ArrayList<>(scalars);
    for (Guess scalar : scalars) {
      world.add(new Guess.Elements(scalar));
    }
    for (Guess left : scalars) {
      Guess.Fields one = new Guess.Fields();
      one.add("a", left);
      world.add(one);
      Guess.Fields two = new Guess.Fields();
      two.add("A", left);
      two.add("b", Guess.Scalar.DATE);
      world.add(two);
    }
    return world;
  }

  /** Without the order and the spelling of fields, which depend on what was seen first. */
  private static String normal(Guess guess) {
    if (guess instanceof Guess.Fields fields) {
      return "{a:" + normal(fields.get("a")) + ",b:" + normal(fields.get("b")) + "}";
    }
    return guess instanceof Guess.Elements elements
        ? "[" + normal(elements.element()) + "]"
        : guess.toString();
  }

  @Test
  void mergingDependsNeitherOnOrderNorOnGrouping() {
    for (Guess left : world()) {
      assertThat(normal(left.merge(left))).isEqualTo(normal(left));
      assertThat(normal(left.merge(Guess.NOTHING))).isEqualTo(normal(left));
      for (Guess right : world()) {
        assertThat(normal(left.merge(right))).isEqualTo(normal(right.merge(left)));
        for (Guess third : world()) {
          assertThat(normal(left.merge(right).merge(third)))
              .as("%s, %s, %s", normal(left), normal(right), normal(third))
              .isEqualTo(normal(left.merge(right.merge(third))));
        }
      }
    }
  }

  @Test
  void aFieldKeepsItsFirstSpelling() {
    Guess.Fields fields = new Guess.Fields();
    fields.add("Name", Guess.Scalar.TEXT);
    fields.add("NAME", Guess.Scalar.TEXT);

    assertThat(fields.toColumns()).hasSize(1);
    assertThat(fields.toColumns().get(0).getName()).isEqualTo("Name");
  }
}
