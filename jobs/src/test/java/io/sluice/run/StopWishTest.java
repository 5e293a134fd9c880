package io.sluice.run;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StopWishTest {

  @Test
  void what_is_asked_for_elsewhere_stays() {
    StopWish wish = new StopWish();
    assertThat(wish.isThereOr(() -> false)).isFalse();
    assertThat(wish.wished()).isNotDone();
    assertThat(wish.isThereOr(() -> true)).isTrue();
    assertThat(wish.wished()).isDone();
    assertThat(wish.isThereOr(() -> false)).isTrue();
    assertThat(wish.isThere()).isTrue();
  }

  @Test
  void a_wish_during_a_look_is_not_lost() {
    StopWish wish = new StopWish();
    boolean found =
        wish.isThereOr(
            () -> {
              wish.wish();
              return false;
            });
    assertThat(found).isTrue();
    assertThat(wish.isThere()).isTrue();
  }
}
