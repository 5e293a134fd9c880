package io.sluice.conformance;

import static io.sluice.conformance.Definition.flow;
import static io.sluice.conformance.Definition.of;

import io.sluice.errors.ErrorCode;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** What the grammar knows and this version does not run is said at its place, never ignored. */
class LaterClausesIT {

  private static final String KEYED = "KEYS (id) SEQUENCE BY seq ";
  private static final String IDS = "read_files('${dir}/in', format => 'json', schema => 'id INT')";
  private static final String T = "CREATE STREAMING TABLE t AS SELECT * FROM " + IDS + ";\n";

  private static Definition later(String name, String sql, String message) {
    return of(name, sql, ErrorCode.NOT_SUPPORTED_YET, message);
  }

  private static Definition clause(String clauses, String message) {
    return flow(clauses, ErrorCode.NOT_SUPPORTED_YET, message);
  }

  private static final List<Definition> LATER =
      List.of(
          later(
              "REPLACE WHERE",
              "CREATE STREAMING TABLE t;\nCREATE FLOW f AS §INSERT INTO t BY NAME REPLACE WHERE id > 1"
                  + " SELECT * FROM s;",
              "REPLACE WHERE is not supported yet"),
          later(
              "REPLACE USING",
              "CREATE STREAMING TABLE t FLOW §REPLACE USING (id) SEQUENCE BY seq BY NAME SELECT * FROM"
                  + " STREAM s;",
              "REPLACE USING is not supported yet"),
          later(
              "a materialized view",
              "§CREATE MATERIALIZED VIEW v AS SELECT 1 AS one;",
              "this statement is not supported yet"),
          later(
              "a schedule",
              "CREATE STREAMING TABLE t §SCHEDULE EVERY 1 DAY AS SELECT * FROM " + IDS,
              "a schedule is not supported yet"),
          later(
              "a trigger",
              "CREATE STREAMING TABLE t §TRIGGER ON UPDATE AS SELECT * FROM " + IDS,
              "a schedule is not supported yet"),
          later(
              "a change feed as source",
              T
                  + "CREATE STREAMING TABLE u AS SELECT * FROM §STREAM t WITH (readChangeFeed = true);",
              "WITH (readChangeFeed) is not supported yet"),
          later(
              "table_changes",
              T + "CREATE STREAMING TABLE u AS SELECT * FROM §STREAM table_changes('t', 1);",
              "the source function table_changes is not supported yet"),
          later(
              "an incremental read of a table of Flink",
              "CREATE TABLE f (id INT) WITH ('connector' = 'datagen', 'number-of-rows' = '1');\n"
                  + "CREATE STREAMING TABLE u AS SELECT * FROM §STREAM f;",
              "STREAM f: incremental reads of connector tables are not supported yet"),
          later("a statement of rows", "§INSERT INTO t VALUES (1);\n" + T, "this statement is not"),
          later("an update of rows", "§UPDATE t SET id = 1;\n" + T, "this statement is not"),
          later(
              "a deletion of rows", "§DELETE FROM t WHERE id = 1;\n" + T, "this statement is not"),
          later("REFRESH", "§REFRESH STREAMING TABLE t;\n" + T, "this statement is not"),
          later("DROP", "§DROP TABLE t;\n" + T, "this statement is not"),
          later("a change of schedules", "§ALTER STREAMING TABLE t DROP SCHEDULE;\n" + T, "this"),
          later(
              "a table of one's own",
              "§CREATE OR REPLACE TABLE o (id INT) TBLPROPERTIES ('a' = 'b');\n" + T,
              "this statement is not supported yet"));

  @TestFactory
  Stream<DynamicTest> not_supported_yet(@TempDir Path folder) {
    Scene scene = new Scene(folder);
    scene.json("in/1.json", "{'id':1}");
    return LATER.stream()
        .map(each -> DynamicTest.dynamicTest(each.name(), () -> each.check(scene)))
        .onClose(scene::close);
  }
}
