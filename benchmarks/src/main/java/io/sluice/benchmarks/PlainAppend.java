package io.sluice.benchmarks;

import io.sluice.files.FileListing;
import io.sluice.files.FileSchema;
import io.sluice.files.FileSplit;
import io.sluice.files.FileSplits;
import io.sluice.files.ReadFilesFunction;
import io.sluice.files.ReadFilesOptions;
import io.sluice.sequencing.JavaSerializer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.runtime.typeutils.InternalTypeInfo;
import org.apache.flink.table.types.logical.RowType;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.flink.FlinkSchemaUtil;
import org.apache.iceberg.flink.TableLoader;
import org.apache.iceberg.flink.sink.IcebergSink;

/**
 * The yardstick: a plain Flink job in batch mode on the same cluster that reads the same files
 * through the same reader and appends the rows unchanged through Iceberg's own sink.
 */
final class PlainAppend {

  private static final long SPLIT_BYTES = 16L << 20;

  private PlainAppend() {}

  /** Makes a table, runs the job and waits for its commit. */
  static void run(Workshop workshop, String name, Path feed) throws Exception {
    ReadFilesOptions options =
        ReadFilesOptions.of(feed.toString(), Map.of("format", "json", "schema", Feed.SCHEMA));
    ReadFilesFunction reader =
        new ReadFilesFunction(options, FileSchema.declared(Feed.SCHEMA), false, false, "files");
    RowType type = reader.producedType();
    TableIdentifier identifier = workshop.connection().identifier(List.of(name));
    Table table = createTable(workshop, identifier, type);

    StreamExecutionEnvironment environment = workshop.runtime().bounded(workshop.parallelism());
    DataStream<RowData> rows =
        environment
            .fromCollection(
                FileSplits.split(FileListing.list(options), options, SPLIT_BYTES),
                JavaSerializer.typeOf(FileSplit.class))
            .rebalance()
            .process(reader)
            .returns(InternalTypeInfo.of(type));
    IcebergSink.forRowData(rows)
        .table(table)
        .tableLoader(TableLoader.fromCatalog(workshop.connection().loader(), identifier))
        .append();
    environment.execute("plain append");
  }

  private static Table createTable(Workshop workshop, TableIdentifier identifier, RowType type) {
    Schema schema = FlinkSchemaUtil.convert(FlinkSchemaUtil.toResolvedSchema(type));
    return workshop
        .connection()
        .catalog()
        .createTable(
            identifier, schema, PartitionSpec.unpartitioned(), Map.of("format-version", "3"));
  }
}
