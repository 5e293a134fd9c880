package io.sluice.conformance;

import static io.sluice.conformance.Definition.FEED;
import static io.sluice.conformance.Definition.of;

import io.sluice.errors.ErrorCode;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Expectations that are refused before anything runs (semantics 2.7, 12, 16). */
class ExpectationErrorsIT {

  private static final String SNAPSHOT =
      "CREATE FLOW s AS AUTO CDC INTO t FROM SNAPSHOT (SELECT id, val FROM %s)"
          + " KEYS (id) STORED AS SCD TYPE 1;";
  private static final String FILES =
      "read_files('${dir}/in', format => 'json', schema => 'id INT, val STRING, seq INT')";

  private static Definition table(String condition, ErrorCode code, String message) {
    String sql = "CREATE STREAMING TABLE t (CONSTRAINT c EXPECT (%s)) AS SELECT id, val FROM %s;";
    return of(condition.replace("§", ""), sql.formatted(condition, FEED), code, message);
  }

  private static final List<Definition> REFUSED =
      List.of(
          table(
              "id > 0 AND §vall = 'x'",
              ErrorCode.INVALID_QUERY,
              "expectation 'c' of default.t, for flow 't': Column 'vall' not found in any table."
                  + " Did you mean 'val'?"),
          table(
              "id > §seq",
              ErrorCode.INVALID_QUERY,
              "expectation 'c' of default.t, for flow 't': Column 'seq' not found"),
          table(
              "§__file_offset > 0",
              ErrorCode.INVALID_QUERY,
              "expectation 'c' of default.t, for flow 't': Column '__file_offset' not found"),
          table(
              "§id + 1",
              ErrorCode.INVALID_EXPECTATION,
              "expectation 'c' of default.t, for flow 't': the condition id + 1 has type INT"
                  + " instead of BOOLEAN"),
          table(
              "id < §MAX(id)",
              ErrorCode.INVALID_EXPECTATION,
              "expectation 'c' of default.t, for flow 't': the condition id < MAX(id) holds an"
                  + " aggregate. Write a condition on the columns of one row"),
          table(
              "§COUNT(*) > 1",
              ErrorCode.INVALID_EXPECTATION,
              "expectation 'c' of default.t, for flow 't': the condition COUNT(*) > 1 holds"),
          table(
              "§ROW_NUMBER() OVER (ORDER BY id) > 1",
              ErrorCode.INVALID_EXPECTATION,
              "expectation 'c' of default.t, for flow 't': the condition"),
          table(
              "id IN (§SELECT id FROM other)",
              ErrorCode.INVALID_EXPECTATION,
              "expectation 'c' of table default.t holds a query. Name the columns of one row only"),
          table(
              "EXISTS (§SELECT 1)",
              ErrorCode.INVALID_EXPECTATION,
              "expectation 'c' of table default.t holds a query"),
          table(
              "id IN (§VALUES 1, 2)",
              ErrorCode.INVALID_EXPECTATION,
              "expectation 'c' of table default.t holds a query"),
          of(
              "two of one name",
              "CREATE STREAMING TABLE t (CONSTRAINT c EXPECT (id > 0), §CONSTRAINT C EXPECT (id > 1))"
                  + " AS SELECT id FROM "
                  + FEED,
              ErrorCode.DUPLICATE_CLAUSE,
              "the constraint 'C' is written twice"),
          of(
              "a column that one of two flows lacks",
              "CREATE STREAMING TABLE t (CONSTRAINT c EXPECT (§val <> ''));\n"
                  + "CREATE FLOW f AS INSERT INTO t BY NAME SELECT id, val FROM "
                  + FEED
                  + ";\nCREATE FLOW g AS INSERT INTO t BY NAME SELECT id FROM "
                  + FEED
                  + ";",
              ErrorCode.INVALID_QUERY,
              "expectation 'c' of default.t, for flow 'g': Column 'val' not found"),
          of(
              "a column that the view does not show",
              "CREATE VIEW v (CONSTRAINT c EXPECT (§op = 'I')) AS SELECT id FROM "
                  + FEED
                  + ";\nCREATE STREAMING TABLE t AS SELECT * FROM STREAM v;",
              ErrorCode.INVALID_QUERY,
              "expectation 'c' of default.v, for flow 't': Column 'op' not found"),
          of(
              "a query on a view",
              "CREATE VIEW v (CONSTRAINT c EXPECT (id IN (§SELECT 1))) AS SELECT id FROM "
                  + FEED
                  + ";\nCREATE STREAMING TABLE t AS SELECT * FROM STREAM v;",
              ErrorCode.INVALID_EXPECTATION,
              "expectation 'c' of view default.v holds a query"),
          of(
              "a snapshot flow",
              "CREATE STREAMING TABLE t (§CONSTRAINT c EXPECT (id > 0));\n"
                  + SNAPSHOT.formatted(FILES),
              ErrorCode.EXPECTATIONS_NOT_SUPPORTED,
              "table default.t has expectations and a snapshot flow. Leave the expectations out"),
          of(
              "snapshot and change flows",
              "CREATE STREAMING TABLE t (§CONSTRAINT c EXPECT (id > 0));\n"
                  + SNAPSHOT.formatted(FILES)
                  + "CREATE FLOW f AS AUTO CDC INTO t FROM "
                  + FEED
                  + " KEYS (id) SEQUENCE BY seq;",
              ErrorCode.INTEROP_EXPECTATIONS_NOT_SUPPORTED,
              "table default.t has expectations and flows of snapshots and of changes"),
          of(
              "a view under a snapshot flow",
              "CREATE VIEW v (CONSTRAINT c EXPECT (id > 0)) AS SELECT * FROM "
                  + FILES
                  + ";\nCREATE VIEW w AS SELECT * FROM v;\nCREATE STREAMING TABLE t;\n§"
                  + SNAPSHOT.formatted("w"),
              ErrorCode.EXPECTATIONS_NOT_SUPPORTED,
              "the snapshot flow 's' reads view default.v, which has expectations"));

  @TestFactory
  Stream<DynamicTest> refused(@TempDir Path folder) {
    Scene scene = new Scene(folder);
    scene.json("in/1.json", "{'id':1}");
    return REFUSED.stream()
        .map(each -> DynamicTest.dynamicTest(each.name(), () -> each.check(scene)))
        .onClose(scene::close);
  }
}
