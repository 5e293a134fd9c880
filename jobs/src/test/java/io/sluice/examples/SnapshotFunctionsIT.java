package io.sluice.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.api.FileSource;
import io.sluice.api.PipelineDefinition;
import io.sluice.api.ScdType;
import io.sluice.api.Snapshot;
import io.sluice.api.Source;
import io.sluice.errors.ErrorCode;
import io.sluice.errors.Problem;
import io.sluice.errors.SluiceException;
import io.sluice.run.Workbench;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Functions of Java that give snapshots, and snapshots by name. */
class SnapshotFunctionsIT {

  @TempDir private static Path folder;

  private static Workbench bench;

  @BeforeAll
  static void open() {
    bench = new Workbench(folder);
  }

  @AfterAll
  static void close() {
    bench.close();
  }

  private static FileSource states(int version) {
    return Source.files(folder + "/snap/v" + version).format("json").schema("id INT, val STRING");
  }

  private static Snapshot<Integer> snapshot(int version) {
    return Snapshot.of(states(version).batch(), version);
  }

  @Test
  void a_function_gives_snapshots_until_it_has_no_more() {
    bench.write("snap/v1/1.json", "{\"id\":1,\"val\":\"a\"}", "{\"id\":2,\"val\":\"b\"}");
    bench.write("snap/v2/1.json", "{\"id\":2,\"val\":\"c\"}", "{\"id\":3,\"val\":\"d\"}");
    List<Optional<Integer>> asked = new ArrayList<>();
    int[] newest = {2};
    PipelineDefinition java = PipelineDefinition.named("snapshots");
    java.streamingTable("states");
    java.autoCdcFromSnapshotFlow("states_flow")
        .into("states")
        .<Integer>fromSnapshots(
            latest -> {
              asked.add(latest);
              int next = latest.orElse(0) + 1;
              return next > newest[0] ? Optional.empty() : Optional.of(snapshot(next));
            })
        .keys("id")
        .storedAs(ScdType.TYPE_2);
    assertThat(bench.update(java).failures()).isEmpty();
    List<String> first = List.of("1 a 1 2", "2 b 1 2", "2 c 2 null", "3 d 2 null");
    assertThat(bench.texts("states")).isEqualTo(first);
    assertThat(asked).contains(Optional.empty(), Optional.of(1), Optional.of(2));
    assertThat(bench.update(java).failures()).isEmpty();
    assertThat(bench.texts("states")).isEqualTo(first);

    bench.write("snap/v3/1.json", "{\"id\":3,\"val\":\"d\"}", "{\"id\":2,\"val\":\"c\"}");
    newest[0] = 3;
    assertThat(bench.update(java).failures()).isEmpty();
    assertThat(bench.texts("states")).isEqualTo(first);
  }

  @Test
  void a_function_has_to_give_a_first_snapshot_and_rising_versions() {
    PipelineDefinition none = PipelineDefinition.named("none");
    none.streamingTable("none");
    none.autoCdcFromSnapshotFlow("none_flow")
        .into("none")
        .<Integer>fromSnapshots(latest -> Optional.empty())
        .keys("id");
    assertThat(problem(none).code()).isEqualTo(ErrorCode.FIRST_SNAPSHOT_EMPTY);

    bench.write("snap/v1/1.json", "{\"id\":1,\"val\":\"a\"}", "{\"id\":2,\"val\":\"b\"}");
    PipelineDefinition same = PipelineDefinition.named("same");
    same.streamingTable("same");
    same.autoCdcFromSnapshotFlow("same_flow")
        .into("same")
        .<Integer>fromSnapshots(latest -> Optional.of(snapshot(1)))
        .keys("id");
    assertThat(problem(same).code()).isEqualTo(ErrorCode.OUT_OF_ORDER_SNAPSHOT_VERSION);

    PipelineDefinition odd = PipelineDefinition.named("odd");
    odd.streamingTable("odd");
    odd.autoCdcFromSnapshotFlow("odd_flow")
        .into("odd")
        .<Object>fromSnapshots(
            latest -> Optional.of(Snapshot.of(states(1).batch(), new StringBuilder("1"))))
        .keys("id");
    assertThat(problem(odd).code()).isEqualTo(ErrorCode.INVALID_SNAPSHOT_VERSION_TYPE);

    PipelineDefinition unversioned = PipelineDefinition.named("unversioned");
    unversioned.streamingTable("unversioned");
    unversioned
        .autoCdcFromSnapshotFlow("unversioned_flow")
        .into("unversioned")
        .<Integer>fromSnapshots(latest -> Optional.of(Snapshot.of(states(1).batch(), null)))
        .keys("id");
    assertThat(problem(unversioned).code()).isEqualTo(ErrorCode.NULL_SNAPSHOT_VERSION);
  }

  /** The one problem of an update, of its definition or of its one table. */
  private static Problem problem(PipelineDefinition java) {
    List<Problem> problems = new ArrayList<>();
    try {
      bench.update(java).failures().values().forEach(problems::addAll);
    } catch (SluiceException e) {
      problems.addAll(e.problems());
    }
    assertThat(problems).hasSize(1);
    return problems.get(0);
  }

  @Test
  void by_name_every_update_takes_one_snapshot() {
    bench.write("named/1.json", "{\"id\":1,\"val\":\"a\"}", "{\"id\":2,\"val\":\"b\"}");
    PipelineDefinition java = PipelineDefinition.named("named");
    java.streamingTable("named");
    java.autoCdcFromSnapshotFlow("named_flow")
        .into("named")
        .from(Source.files(folder + "/named").format("json").schema("id INT, val STRING").batch())
        .keys("id")
        .storedAs(ScdType.TYPE_1);
    assertThat(bench.update(java).failures()).isEmpty();
    assertThat(bench.texts("named")).containsExactly("1 a", "2 b");
    bench.write("named/1.json", "{\"id\":2,\"val\":\"c\"}", "{\"id\":3,\"val\":\"d\"}");
    assertThat(bench.update(java).failures()).isEmpty();
    assertThat(bench.texts("named")).containsExactly("2 c", "3 d");
  }
}
