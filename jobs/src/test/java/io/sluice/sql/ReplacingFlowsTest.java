package io.sluice.sql;

import static io.sluice.sql.Parsing.flow;
import static io.sluice.sql.Parsing.mark;
import static io.sluice.sql.Parsing.statement;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Flows whose source states everything of a target, or of a part of it. */
class ReplacingFlowsTest {

  @Test
  void aSnapshotFlowHasAQueryAndMaybeAVersion() {
    FlowBody.SnapshotCdc flow =
        flow(
            FlowBody.SnapshotCdc.class,
            "AUTO CDC ONCE INTO t FROM SNAPSHOT (SELECT * FROM list_files('/d') WHERE v ="
                + " current_snapshot_version()) WITH VERSION (SELECT max(v) FROM versions WHERE v >"
                + " (SELECT v FROM last_snapshot_version())) KEYS (id) STORED AS SCD TYPE 2 TRACK"
                + " HISTORY ON (a)");

    assertThat(flow.once()).isTrue();
    assertThat(flow.byTableName()).isFalse();
    assertThat(flow.snapshot().sources()).hasSize(1);
    assertThat(flow.version().get().sources())
        .extracting(Parsing::mark)
        .containsExactly("<versions>", "<last_snapshot_version>");
    assertThat(flow.trackHistory()).isPresent();
  }

  @Test
  void aSnapshotMayBeNamedInTheOldWay() {
    FlowBody.SnapshotCdc flow =
        flow(FlowBody.SnapshotCdc.class, "AUTO CDC INTO t FROM SNAPSHOT a.snaps KEYS id");

    assertThat(flow.byTableName()).isTrue();
    assertThat(flow.version()).isEmpty();
    assertThat(mark(flow.snapshot().sources().get(0))).isEqualTo("<a.snaps>");
    assertThat(
            statement(
                    CreateStreamingTable.class,
                    "CREATE STREAMING TABLE t FLOW AUTO CDC FROM SNAPSHOT (SELECT 1) KEYS (id)")
                .inlineFlow())
        .containsInstanceOf(FlowBody.SnapshotCdc.class);
  }

  @Test
  void replaceWhereTakesThePredicateBeforeOrBehindByName() {
    FlowBody.ReplaceWhere inline =
        (FlowBody.ReplaceWhere)
            statement(
                    CreateStreamingTable.class,
                    "CREATE STREAMING TABLE t FLOW REPLACE WHERE day >= date_sub(current_date(), 3)"
                        + " AND region IN (SELECT 'a') BY NAME SELECT * FROM s")
                .inlineFlow()
                .get();
    FlowBody.ReplaceWhere created =
        flow(
            FlowBody.ReplaceWhere.class,
            "INSERT INTO t BY NAME REPLACE WHERE day > '2020' WITH x AS (SELECT 1) SELECT * FROM x");
    FlowBody.ReplaceWhere positional =
        flow(FlowBody.ReplaceWhere.class, "INSERT INTO t REPLACE WHERE day > 1 SELECT 1");

    assertThat(inline.predicate().render().text())
        .isEqualTo(
            "`day` >= TIMESTAMPADD(DAY, -(3), CAST(CURRENT_DATE AS DATE)) AND region IN (SELECT 'a')");
    assertThat(inline.byName()).isTrue();
    assertThat(created.byName()).isTrue();
    assertThat(created.query().toString()).startsWith("WITH x");
    assertThat(positional.byName()).isFalse();
  }

  @Test
  void replaceUsingHasKeysAndASequenceColumn() {
    FlowBody.ReplaceUsing created =
        flow(
            FlowBody.ReplaceUsing.class,
            "INSERT INTO t BY NAME REPLACE USING (a, b) SEQUENCE BY v SELECT * FROM STREAM s");
    FlowBody.ReplaceUsing inline =
        (FlowBody.ReplaceUsing)
            statement(
                    CreateStreamingTable.class,
                    "CREATE STREAMING TABLE t FLOW REPLACE USING a SEQUENCE BY v BY NAME SELECT 1")
                .inlineFlow()
                .get();

    assertThat(created.keys()).extracting(Identifier::text).containsExactly("a", "b");
    assertThat(List.of(created.byName(), inline.byName())).containsOnly(true);
    assertThat(inline.sequenceBy().text()).isEqualTo("v");
  }
}
