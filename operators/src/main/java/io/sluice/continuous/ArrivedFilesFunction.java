package io.sluice.continuous;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.SluiceException;
import io.sluice.files.FileEntry;
import io.sluice.files.FileRowReader;
import io.sluice.files.FileSchema;
import io.sluice.files.FileSplit;
import io.sluice.files.MalformedRecord;
import io.sluice.files.ReadFilesFunction;
import io.sluice.files.ReadFilesOptions;
import io.sluice.files.RowSink;
import io.sluice.files.SchemaEvolutionMode;
import io.sluice.release.ClassRelease;
import io.sluice.sequencing.Failures;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.utils.JoinedRowData;
import org.apache.flink.util.Collector;

/**
 * Reads files as they arrive, each followed by two columns: STRING path of the file, BIGINT place
 * of the record in it. Malformed records leave by {@link ReadFilesFunction#MALFORMED}.
 */
public final class ArrivedFilesFunction extends ProcessFunction<FileEntry, RowData> {

  private static final long serialVersionUID = 1L;

  private final ReadFilesOptions options;
  private final FileSchema schema;
  private final boolean withMetadata;

  private transient FileRowReader reader;

  /**
   * @param schema the columns, as they were known when the job started
   * @param withMetadata adds the column {@code _metadata}
   */
  public ArrivedFilesFunction(ReadFilesOptions options, FileSchema schema, boolean withMetadata) {
    this.options = options;
    this.schema = schema;
    this.withMetadata = withMetadata;
  }

  @Override
  public void open(OpenContext context) {
    ClassRelease.register(getRuntimeContext());
    reader = new FileRowReader(options, schema, withMetadata);
  }

  @Override
  public void processElement(FileEntry file, Context context, Collector<RowData> out)
      throws Exception {
    StringData path = StringData.fromString(file.path());
    JoinedRowData joined = new JoinedRowData();
    try {
      reader.read(
          new FileSplit(file, 0, 0, file.size()),
          new RowSink() {
            @Override
            public void row(RowData row, long offset) {
              out.collect(joined.replace(row, GenericRowData.of(path, offset)));
            }

            @Override
            public void malformed(String reason, String raw, long offset) {
              context.output(
                  ReadFilesFunction.MALFORMED,
                  new MalformedRecord(file.path(), offset, reason, raw));
            }

            @Override
            public void newColumn(String column) {
              requireNoNew(file, column);
            }
          });
    } catch (SluiceException e) {
      throw Failures.inTask(e);
    }
  }

  /** The columns of a running job are fixed; the next start adds what has come. */
  private void requireNoNew(FileEntry file, String column) {
    if (options.mode() == SchemaEvolutionMode.ADD_NEW_COLUMNS && options.schemaText().isEmpty()) {
      throw new SluiceException(
          ErrorCode.RESTART_NEEDED,
          "'" + file.path() + "' has the new column '" + column + "'",
          "The run starts again and adds it");
    }
  }
}
