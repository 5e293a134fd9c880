package io.sluice.examples;

import static org.apache.flink.table.api.Expressions.$;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.api.FileSource;
import io.sluice.api.PipelineDefinition;
import io.sluice.api.ScdType;
import io.sluice.api.Source;
import io.sluice.errors.ErrorCode;
import io.sluice.errors.Problem;
import io.sluice.errors.SluiceException;
import io.sluice.pipeline.Pipeline;
import io.sluice.run.UpdateResult;
import io.sluice.run.Workbench;
import io.sluice.sql.Constraint;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.types.Row;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pipelines declared in Java give the model, the rows and the errors of pipeline files. */
class PipelineDefinitionIT {

  @TempDir private static Path folder;

  private static Workbench bench;

  @BeforeAll
  static void open() {
    bench = new Workbench(folder);
    bench.write(
        "in/1.json",
        "{\"id\":1,\"val\":\"a\",\"op\":\"U\",\"seq\":1}",
        "{\"id\":1,\"val\":\"b\",\"op\":\"U\",\"seq\":3}",
        "{\"id\":2,\"val\":\"c\",\"op\":\"U\",\"seq\":2}",
        "{\"id\":2,\"val\":\"c\",\"op\":\"D\",\"seq\":5}");
  }

  @AfterAll
  static void close() {
    bench.close();
  }

  private static FileSource feed() {
    return Source.files(folder + "/in")
        .format("json")
        .schema("id INT, val STRING, op STRING, seq INT");
  }

  @Test
  void the_model_is_that_of_the_same_pipeline_in_sql() {
    PipelineDefinition java = PipelineDefinition.named("test");
    java.view("v")
        .comment("a view")
        .expectOrFail("sane", "id < 1000")
        .from(feed().where("id > 0").select("id", "val", "op", "seq"));
    java.streamingTable("t")
        .comment("a table")
        .column("id", "INT")
        .column("val", "STRING")
        .column("__START_AT", "INT")
        .column("__END_AT", "INT")
        .partitionedBy("bucket(4, id)")
        .expect("known", "op IN ('U', 'D')")
        .expectAllOrDrop(Map.of("named", "val IS NOT NULL"))
        .property("pipelines.reset.allowed", "false");
    java.autoCdcFlow("f")
        .into("t")
        .comment("a flow")
        .from(Source.stream("v"))
        .keys("id")
        .applyAsDeletes("op = 'D'")
        .sequenceBy("seq")
        .columnsExcept("op", "seq")
        .storedAs(ScdType.TYPE_2)
        .trackHistoryExcept("op");
    java.streamingTable("u");
    java.appendFlow("g").into("u").once().from(feed().batch());
    String sql =
        """
        CREATE VIEW v (CONSTRAINT sane EXPECT (id < 1000) ON VIOLATION FAIL UPDATE) COMMENT 'a view' AS SELECT id, val, op, seq FROM STREAM read_files('${dir}/in',
          format => 'json', schema => 'id INT, val STRING, op STRING, seq INT') WHERE id > 0;
        CREATE STREAMING TABLE t (id INT, val STRING, `__START_AT` INT, `__END_AT` INT,
          CONSTRAINT known EXPECT (op IN ('U', 'D')),
          CONSTRAINT named EXPECT (val IS NOT NULL) ON VIOLATION DROP ROW)
        PARTITIONED BY (bucket(4, id)) COMMENT 'a table'
        TBLPROPERTIES ('pipelines.reset.allowed' = 'false');
        CREATE FLOW f COMMENT 'a flow' AS AUTO CDC INTO t FROM STREAM v KEYS (id)
        APPLY AS DELETE WHEN op = 'D' SEQUENCE BY seq COLUMNS * EXCEPT (op, seq)
        STORED AS SCD TYPE 2 TRACK HISTORY ON * EXCEPT (op);
        CREATE STREAMING TABLE u;
        CREATE FLOW g AS INSERT INTO ONCE u BY NAME SELECT * FROM read_files('${dir}/in',
          format => 'json', schema => 'id INT, val STRING, op STRING, seq INT');
        """;
    Pipeline ofSql = bench.pipeline(sql, Map.of());
    assertThat(shown(java.build(bench.connection()))).isEqualTo(shown(ofSql));
  }

  /** Everything of a model but places and quotes. */
  private static List<String> shown(Pipeline pipeline) {
    List<String> lines = new ArrayList<>();
    pipeline
        .tables()
        .forEach(
            table ->
                lines.add(
                    table.name()
                        + " "
                        + table.columns().stream().map(c -> c.name() + " " + c.typeText()).toList()
                        + table.partitioning().stream().map(f -> f.replace(" ", "")).toList()
                        + expectations(table.expectations())
                        + table.comment()
                        + table.properties()));
    pipeline
        .views()
        .forEach(
            view ->
                lines.add(
                    view.name()
                        + " "
                        + plain(view.query())
                        + expectations(view.expectations())
                        + view.comment()));
    pipeline
        .flows()
        .forEach(
            flow ->
                lines.add(
                    flow.name()
                        + flow.order()
                        + flow.target()
                        + flow.once()
                        + plain(flow.query())
                        + flow.comment()
                        + flow.cdc()
                            .map(
                                cdc ->
                                    cdc.keys().toString()
                                        + cdc.deleteWhen()
                                        + cdc.sequenceBy()
                                        + cdc.columns().map(c -> c.except() + "" + c.columns())
                                        + cdc.type()
                                        + cdc.trackHistory()
                                            .map(c -> c.except() + "" + c.columns()))));
    return lines;
  }

  private static List<String> expectations(List<Constraint> constraints) {
    return constraints.stream()
        .map(each -> each.name() + " " + plain(each.condition()) + " " + each.onViolation())
        .toList();
  }

  private static String plain(Object query) {
    return query.toString().replace("`", "").replaceAll("\\s+", " ");
  }

  @Test
  void rows_go_through_tables_and_streams_and_views_of_each_other() {
    PipelineDefinition java = PipelineDefinition.named("streams");
    java.view("doubled")
        .from(
            List.of(feed(), Source.query("SELECT CAST(1 AS INT) AS w")),
            inputs ->
                inputs
                    .tables()
                    .fromDataStream(
                        inputs.stream(0)
                            .map(row -> Row.of(row.getField("id"), row.getField("val") + "!"))
                            .returns(
                                Types.ROW_NAMED(
                                    new String[] {"id", "val"}, Types.INT, Types.STRING))));
    java.streamingTable("doubles").from("SELECT id, upper(val) AS val FROM STREAM doubled");
    java.streamingTable("fixed");
    java.appendFlow("fixed_rows")
        .into("fixed")
        .once()
        .from(List.of(), inputs -> inputs.tables().fromValues(1, 2, 3).as("n"));
    UpdateResult result = bench.update(java);
    assertThat(result.failures()).isEmpty();
    assertThat(bench.texts("doubles")).containsExactly("1 A!", "1 B!", "2 C!", "2 C!");
    assertThat(bench.texts("fixed")).containsExactly("1", "2", "3");
    bench.update(java);
    assertThat(bench.texts("doubles")).hasSize(4);
    assertThat(bench.texts("fixed")).hasSize(3);
  }

  @Test
  void a_bitemporal_table_takes_partial_updates() {
    bench.write(
        "beliefs/1.json",
        "{\"id\":1,\"val\":\"a\",\"note\":\"n\",\"bt\":1,\"st\":1}",
        "{\"id\":1,\"note\":\"m\",\"bt\":5,\"st\":2}");
    PipelineDefinition java = PipelineDefinition.named("beliefs");
    java.streamingTable("beliefs");
    java.autoCdcFlow("beliefs_changes")
        .into("beliefs")
        .from(
            Source.files(folder + "/beliefs")
                .format("json")
                .schema("id INT, val STRING, note STRING, bt INT, st INT"))
        .keys("id")
        .ignoreNullUpdatesOn("val")
        .sequenceBy("bt")
        .systemSequenceBy("st")
        .columnsExcept("bt", "st")
        .storedAs(ScdType.BITEMPORAL);
    assertThat(bench.update(java).failures()).isEmpty();
    assertThat(bench.texts("beliefs"))
        .containsExactly("1 a m 5 null 2 null", "1 a n 1 5 2 null", "1 a n 1 null 1 2");
  }

  private static void wrong(Consumer<PipelineDefinition> declare, ErrorCode code, String message) {
    PipelineDefinition java = PipelineDefinition.named("wrong");
    SluiceException error =
        catchThrowableOfType(
            SluiceException.class,
            () -> {
              declare.accept(java);
              bench.validate(java);
            });
    assertThat(error).isNotNull();
    Problem problem = error.problems().get(0);
    assertThat(problem.code()).as(problem.toString()).isEqualTo(code);
    assertThat(problem.toString())
        .matches("(?s)PipelineDefinitionIT.java:\\d+: \\[.*")
        .contains(message);
  }

  @Test
  void what_is_wrong_is_told_with_the_line_of_the_program() {
    wrong(
        p -> p.autoCdcFlow("f").into("missing").from(feed()).keys("id").sequenceBy("seq"),
        ErrorCode.TARGET_NOT_FOUND,
        "flow 'f' writes into 'default.missing'");
    wrong(
        p -> {
          p.streamingTable("w");
          p.autoCdcFlow("f").into("w").from(feed()).keys("id").sequenceBy("sequ");
        },
        ErrorCode.INVALID_QUERY,
        "sequ");
    wrong(
        p -> {
          p.streamingTable("w");
          p.autoCdcFlow("f").into("w").from(feed()).keys("id");
        },
        ErrorCode.SYNTAX,
        "flow 'f' has no sequence");
    wrong(
        p -> {
          p.streamingTable("w");
          p.autoCdcFlow("f").into("w").from(feed()).sequenceBy("seq");
        },
        ErrorCode.AUTOCDC_EMPTY_KEYS,
        "names no key column");
    wrong(
        p -> {
          p.streamingTable("w");
          p.appendFlow("f").into("w").once().from(feed().where("id > (1"));
        },
        ErrorCode.SYNTAX,
        "");
    wrong(
        p -> {
          p.streamingTable("w");
          p.autoCdcFlow("f").into("w").from(feed()).keys("id").sequenceBy("seq");
          p.appendFlow("g").into("w").from(feed());
        },
        ErrorCode.AUTOCDC_APPEND_INTO_CDC_TARGET,
        "flow 'g' appends");
    wrong(
        p -> p.streamingTable("w").from(feed(), rows -> rows.select($("nothing"))),
        ErrorCode.INVALID_QUERY,
        "cannot be computed");
    wrong(
        p -> p.streamingTable("w").property("sluice.adopd", "true"),
        ErrorCode.UNKNOWN_OPTION,
        "there is no table property sluice.adopd");
    wrong(p -> p.streamingTable("a..b"), ErrorCode.INVALID_NAME, "'a..b' is no name");
    assertThatThrownBy(() -> bench.update(PipelineDefinition.named("empty")))
        .hasMessageContaining("declares nothing");
  }
}
