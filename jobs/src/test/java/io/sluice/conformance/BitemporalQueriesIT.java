package io.sluice.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.SluiceException;
import io.sluice.faults.ForeignRows;
import io.sluice.plan.AsOf;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.iceberg.Table;
import org.apache.iceberg.flink.actions.Actions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Questions to a bitemporal table as of places on both axes, before and after maintenance. */
class BitemporalQueriesIT {

  /**
   * A flag that turned on 1 January, which the feed learned on the 5th and corrected on the 8th.
   */
  private static String sql(int formatVersion) {
    return """
    CREATE STREAMING TABLE issuers TBLPROPERTIES ('format-version' = '%d');
    CREATE FLOW issuer_changes AS AUTO CDC INTO issuers
    FROM STREAM read_files('${dir}/in', format => 'json',
      schema => 'issuer STRING, reporting STRING, holds_from TIMESTAMP, learned TIMESTAMP')
    KEYS (issuer) SEQUENCE BY holds_from SYSTEM SEQUENCE BY learned
    COLUMNS (issuer, reporting) STORED AS BITEMPORAL;
    CREATE STREAMING TABLE towns;
    CREATE FLOW town_changes AS AUTO CDC INTO towns
    FROM STREAM read_files('${dir}/towns', format => 'json',
      schema => 'issuer STRING, town STRING, n INT')
    KEYS (issuer) SEQUENCE BY n COLUMNS (issuer, town);
    """
        .formatted(formatVersion);
  }

  private static final String FLAG = "SELECT issuer, reporting FROM issuers ORDER BY issuer";

  private static void feed(Scene scene) {
    scene.json("towns/1.json", "{'issuer':'Acme','town':'Oslo','n':1}");
    scene.json(
        "in/1.json",
        "{'issuer':'Acme','reporting':'full','holds_from':'2026-01-01','learned':'2026-01-05'}");
    scene.json(
        "in/2.json",
        "{'issuer':'Bolt','reporting':'none','holds_from':'2026-01-02','learned':'2026-01-02'}");
  }

  private static void correct(Scene scene) {
    scene.json(
        "in/3.json",
        "{'issuer':'Acme','reporting':'light','holds_from':'2026-01-01','learned':'2026-01-08'}");
  }

  private static List<String> ask(Scene scene, String system, String business, String query) {
    return scene
        .bench()
        .query(query, new AsOf(Optional.ofNullable(system), Optional.ofNullable(business)));
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void both_questions_have_their_answer_and_keep_it_after_compaction_and_expiry(
      int formatVersion, @TempDir Path folder) throws Exception {
    try (Scene scene = new Scene(folder)) {
      feed(scene);
      scene.run(sql(formatVersion));
      correct(scene);
      scene.run(sql(formatVersion));
      requireAnswers(scene);
      assertThat(ask(scene, null, "2026-01-01T00:00:00Z", "SELECT reporting FROM issuers"))
          .containsExactlyInAnyOrder("full", "light");

      Table table = scene.bench().table("issuers");
      if (formatVersion == 2) {
        Actions.forTable(StreamExecutionEnvironment.createLocalEnvironment(1), table)
            .rewriteDataFiles()
            .execute();
      } else {
        ForeignRows.compact(table); // Flink's action of Iceberg 1.11 refuses version 3
      }
      table.refresh();
      assertThat(table.currentSnapshot().operation()).isEqualTo("replace");
      table.expireSnapshots().expireOlderThan(Long.MAX_VALUE).retainLast(1).commit();
      assertThat(scene.commits("issuers")).isEqualTo(1);
      requireAnswers(scene);

      // The table goes on, and what was answered stays answered.
      scene.json(
          "in/4.json",
          "{'issuer':'Acme','reporting':'none','holds_from':'2026-02-01','learned':'2026-02-01'}");
      scene.run(sql(formatVersion));
      requireAnswers(scene);
      assertThat(ask(scene, "2026-02-01", "2026-02-01", FLAG))
          .containsExactly("Acme none", "Bolt none");
    }
  }

  private static void requireAnswers(Scene scene) {
    assertThat(ask(scene, "2026-01-01", "2026-01-01", FLAG)).isEmpty();
    // What was believed on 3 January of that day: nothing of Acme yet.
    assertThat(ask(scene, "2026-01-03", "2026-01-03", FLAG)).containsExactly("Bolt none");
    assertThat(ask(scene, "2026-01-07T23:59:59.999999Z", "2026-01-03", FLAG))
        .containsExactly("Acme full", "Bolt none");
    // What is true of 3 January as known today.
    assertThat(ask(scene, "2026-01-31", "2026-01-03", FLAG))
        .containsExactly("Acme light", "Bolt none");
    assertThat(ask(scene, "2026-01-08", null, FLAG)).containsExactly("Acme light", "Bolt none");
    String written =
        """
        SELECT issuer, reporting FROM issuers
        WHERE __START_AT <= TIMESTAMP '2026-01-03 00:00:00'
          AND (__END_AT > TIMESTAMP '2026-01-03 00:00:00' OR __END_AT IS NULL)
          AND __SYSTEM_START_AT <= TIMESTAMP '2026-01-31 00:00:00'
          AND (__SYSTEM_END_AT > TIMESTAMP '2026-01-31 00:00:00' OR __SYSTEM_END_AT IS NULL)
        ORDER BY issuer
        """;
    assertThat(ask(scene, null, null, written)).containsExactly("Acme light", "Bolt none");
  }

  @Test
  void every_table_with_the_axis_is_restricted_and_others_are_read_as_they_are(
      @TempDir Path folder) {
    try (Scene scene = new Scene(folder)) {
      feed(scene);
      correct(scene);
      scene.run(sql(3));
      String query =
          "SELECT issuers.issuer, t.town, others.reporting FROM issuers"
              + " JOIN towns t ON t.issuer = issuers.issuer"
              + " JOIN issuers AS others ON others.issuer = issuers.issuer";
      assertThat(ask(scene, "2026-01-06", null, query)).containsExactly("Acme Oslo full");
      assertThat(ask(scene, null, null, query)).hasSize(4);
    }
  }

  @Test
  void a_place_that_cannot_be_or_means_nothing_is_an_error(@TempDir Path folder) {
    try (Scene scene = new Scene(folder)) {
      feed(scene);
      scene.run(sql(3));
      assertThatThrownBy(() -> ask(scene, "soon", null, FLAG))
          .isInstanceOfSatisfying(
              SluiceException.class,
              e -> assertThat(e.problems().get(0).code()).isEqualTo(ErrorCode.INVALID_CALL))
          .hasMessageContaining("--as-of-system cannot be 'soon'")
          .hasMessageContaining("__SYSTEM_START_AT of table issuers has type TIMESTAMP_LTZ(6)");
      assertThatThrownBy(() -> ask(scene, "2026-01-01", null, "SELECT * FROM towns"))
          .hasMessageContaining("the query reads no bitemporal table");
      assertThatThrownBy(() -> ask(scene, null, "2026-01-01", "SELECT * FROM towns"))
          .hasMessageContaining("the query reads no SCD type 2 or bitemporal table");
    }
  }
}
