package io.sluice.plan;

import io.sluice.catalog.CatalogConnection;
import io.sluice.pipeline.Pipeline;
import io.sluice.sequencing.AdoptionFunction;
import io.sluice.sequencing.ExistingRowDecoder;
import io.sluice.sequencing.ExistingRowsFunction;
import io.sluice.sequencing.InvalidEvent;
import io.sluice.sequencing.InvalidEventOperator;
import io.sluice.sequencing.JavaSerializer;
import io.sluice.sequencing.KeySet;
import io.sluice.sequencing.PackedRecord;
import io.sluice.sequencing.RecordStreams;
import io.sluice.sequencing.TargetLayout;
import io.sluice.sequencing.UpdateOutput;
import io.sluice.table.LocatedRows;
import io.sluice.table.RowSplit;
import io.sluice.table.Tidying;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.iceberg.SerializableTable;
import org.apache.iceberg.Table;

/** The job that reads all rows of a table that is to be adopted and finds those that cannot be. */
public final class AdoptionJob {

  private AdoptionJob() {}

  /**
   * Builds the job.
   *
   * @param table the table with all generated columns; it has a snapshot
   * @return the rows that cannot belong to the history of a key, and those with a NULL key
   */
  public static DataStream<UpdateOutput> build(
      CatalogConnection connection,
      Pipeline pipeline,
      ResolvedTarget target,
      Table table,
      StreamExecutionEnvironment environment) {
    TargetLayout layout = target.layout().orElseThrow();
    FlinkSession session = FlinkSession.open(environment, connection, pipeline);
    List<RowSplit> splits =
        LocatedRows.plan(table, table.currentSnapshot().snapshotId(), List.of());
    List<String> files = splits.stream().map(split -> split.file().location()).distinct().toList();
    DataStream<PackedRecord> rows =
        RecordStreams.existing(
            environment.fromCollection(List.of(KeySet.all()), JavaSerializer.typeOf(KeySet.class)),
            splits,
            new ExistingRowsFunction(
                SerializableTable.copyOf(table), ExistingRowDecoder.ofTarget(layout), files),
            Tidying.NONE,
            target.table().name().toString());
    DataStream<InvalidEvent> wrong =
        RecordStreams.byKey(rows)
            .process(new AdoptionFunction(layout, files))
            .returns(JavaSerializer.typeOf(InvalidEvent.class));
    return wrong
        .union(withoutKey(connection, session, target, layout))
        .transform(
            "rows that cannot be adopted",
            JavaSerializer.typeOf(UpdateOutput.class),
            new InvalidEventOperator());
  }

  private static DataStream<InvalidEvent> withoutKey(
      CatalogConnection connection,
      FlinkSession session,
      ResolvedTarget target,
      TargetLayout layout) {
    String condition =
        layout.keyColumns().stream()
            .map(key -> Sql.quote(key.name()) + " IS NULL")
            .collect(Collectors.joining(" OR "));
    String columns =
        layout.columns().getFieldNames().stream().map(Sql::quote).collect(Collectors.joining(", "));
    String name = target.table().name().toString();
    return session
        .rows(
            session
                .tables()
                .sqlQuery(
                    "SELECT "
                        + columns
                        + " FROM "
                        + Sql.quote(connection.config().name())
                        + "."
                        + target.table().name().quoted()
                        + " WHERE "
                        + condition),
            target.table().at())
        .map(new AdoptionFunction.WithoutKey(name, layout.columns()))
        .returns(JavaSerializer.typeOf(InvalidEvent.class));
  }
}
