package io.sluice.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class FlowResultTest {

  private static FlowResult result(FlowResult.State state, long read, long rows) {
    return new FlowResult("f", "AUTO CDC SCD 1", state, read, rows, rows, rows, 0, 0, 0, 0);
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
