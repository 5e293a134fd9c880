package io.sluice.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.sequencing.Expectation.Action;
import java.util.List;
import org.junit.jupiter.api.Test;

class FlowResultTest {

  private static FlowResult result(FlowResult.State state, long read, long rows) {
    return result(state, read, rows, List.of());
  }

  private static FlowResult result(
      FlowResult.State state, long read, long rows, List<ExpectationResult> expectations) {
    return new FlowResult(
        "f", "AUTO CDC SCD 1", state, read, rows, rows, rows, 0, 0, 0, 0, 1, expectations);
  }

  @Test
  void steps_add_up_what_they_found_of_each_expectation() {
    ExpectationResult named = new ExpectationResult("t", "named", Action.DROP, 3, 2);
    ExpectationResult other = new ExpectationResult("v", "named", Action.KEEP, 1, 1);
    FlowResult sum =
        result(FlowResult.State.RAN, 1, 1, List.of(named))
            .plus(result(FlowResult.State.RAN, 1, 1, List.of(named, other)));
    assertThat(sum.expectations())
        .containsExactly(new ExpectationResult("t", "named", Action.DROP, 6, 4), other);
    assertThat(sum.expectations()).extracting(ExpectationResult::dropped).containsExactly(4L, 0L);
    assertThat(sum.dropped()).isEqualTo(2);
  }

  @Test
  void a_flow_that_shared_a_step_has_no_rows_of_its_own() {
    FlowResult idle = result(FlowResult.State.UP_TO_DATE, 0, 0);
    FlowResult alone = result(FlowResult.State.RAN, 10, 7);
    FlowResult shared = result(FlowResult.State.RAN, 10, -1);
    for (FlowResult sum : List.of(idle.plus(shared), idle.plus(shared).plus(alone))) {
      assertThat(List.of(sum.inserted(), sum.updated(), sum.deleted())).containsOnly(-1L);
      assertThat(sum.state()).isEqualTo(FlowResult.State.RAN);
    }
    assertThat(idle.plus(alone).plus(alone).inserted()).isEqualTo(14);
    assertThat(idle.plus(shared).plus(alone).rowsRead()).isEqualTo(20);
  }
}
