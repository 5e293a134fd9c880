package io.sluice.table;

import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.RowType;
import org.apache.iceberg.BaseFileScanTask;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.PartitionSpecParser;
import org.apache.iceberg.Schema;
import org.apache.iceberg.SchemaParser;
import org.apache.iceberg.StructLike;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.data.BaseDeleteLoader;
import org.apache.iceberg.data.DeleteFilter;
import org.apache.iceberg.data.DeleteLoader;
import org.apache.iceberg.deletes.PositionDeleteIndex;
import org.apache.iceberg.encryption.EncryptingFileIO;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.expressions.ResidualEvaluator;
import org.apache.iceberg.flink.FlinkSchemaUtil;
import org.apache.iceberg.flink.RowDataWrapper;
import org.apache.iceberg.flink.data.RowDataUtil;
import org.apache.iceberg.formats.FormatModelRegistry;
import org.apache.iceberg.formats.ReadBuilder;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.mapping.NameMappingParser;
import org.apache.iceberg.util.PartitionUtil;

/** Opens the files of a table for Flink rows, with every byte counted. */
final class SplitFileReader {

  private final Table table;
  private final EncryptingFileIO io;
  private final AtomicLong bytes;
  private final String schemaJson;

  SplitFileReader(Table table, AtomicLong bytes) {
    this.table = table;
    this.io = EncryptingFileIO.combine(table.io(), table.encryption());
    this.bytes = bytes;
    this.schemaJson = SchemaParser.toJson(table.schema());
  }

  /** The rows of a byte range of the split's file, deleted ones included; rows are reused. */
  CloseableIterable<RowData> open(
      RowSplit split, long start, long length, Schema columns, Expression filter) {
    ReadBuilder<RowData, RowType> builder =
        FormatModelRegistry.readBuilder(
            split.file().format(), RowData.class, counting(io.newInputFile(split.file())));
    String nameMapping = table.properties().get(TableProperties.DEFAULT_NAME_MAPPING);
    if (nameMapping != null) {
      builder.withNameMapping(NameMappingParser.fromJson(nameMapping));
    }
    if (filter.op() != Expression.Operation.TRUE) {
      builder.filter(filter);
    }
    return builder
        .project(columns)
        .idToConstant(constants(split))
        .split(start, length)
        .caseSensitive(true)
        .reuseContainers()
        .build();
  }

  /** The deleted positions of a split without equality deletes. */
  PositionDeleteIndex deletedPositions(RowSplit split) {
    return split.deletes().isEmpty()
        ? PositionDeleteIndex.empty()
        : deleteLoader().loadPositionDeletes(split.deletes(), split.file().location());
  }

  /** A filter for all kinds of deletes; it may need more columns than asked for, appended last. */
  DeleteFilter<RowData> deleteFilter(RowSplit split, Schema columns) {
    return new AllDeletes(split, columns);
  }

  private Map<Integer, ?> constants(RowSplit split) {
    return PartitionUtil.constantsMap(
        new BaseFileScanTask(
            split.file(),
            split.deletes().toArray(DeleteFile[]::new),
            schemaJson,
            PartitionSpecParser.toJson(table.specs().get(split.file().specId())),
            ResidualEvaluator.unpartitioned(Expressions.alwaysTrue())),
        RowDataUtil::convertConstant);
  }

  private DeleteLoader deleteLoader() {
    return new BaseDeleteLoader(delete -> counting(io.newInputFile(delete)));
  }

  private InputFile counting(InputFile file) {
    return new CountingInputFile(file, bytes);
  }

  private final class AllDeletes extends DeleteFilter<RowData> {
    private final RowDataWrapper wrapper;

    AllDeletes(RowSplit split, Schema columns) {
      super(split.file().location(), split.deletes(), table.schema(), columns);
      this.wrapper =
          new RowDataWrapper(
              FlinkSchemaUtil.convert(requiredSchema()), requiredSchema().asStruct());
    }

    @Override
    protected StructLike asStructLike(RowData row) {
      return wrapper.wrap(row);
    }

    @Override
    protected InputFile getInputFile(String location) {
      return io.newInputFile(location);
    }

    @Override
    protected DeleteLoader newDeleteLoader() {
      return deleteLoader();
    }
  }
}
