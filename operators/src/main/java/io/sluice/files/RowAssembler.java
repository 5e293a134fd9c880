package io.sluice.files;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.TimestampData;
import org.apache.flink.table.types.logical.BigIntType;
import org.apache.flink.table.types.logical.IntType;
import org.apache.flink.table.types.logical.LocalZonedTimestampType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.VarCharType;

/**
 * The parts of a row that do not come from the record: values of folders, {@code _rescued_data},
 * {@code _metadata}, the position; and the decision whether a record is a row or malformed.
 */
final class RowAssembler {

  static final String METADATA = "_metadata";
  static final String FILE_ORDINAL = "__file_ordinal";
  static final String FILE_OFFSET = "__file_offset";

  private final FileSchema schema;
  private final boolean withMetadata;
  private final boolean withPosition;
  private final int columnCount;
  private final RowType producedType;
  private final RecordFaults faults;
  private final boolean checksNulls;
  private final Object[] folderValues;
  private final List<Misfit> misfits = new ArrayList<>();
  private int ordinal;
  private GenericRowData metadata;
  private RowSink sink;

  private record Misfit(String column, LogicalType type, String value) {}

  RowAssembler(
      ReadFilesOptions options, FileSchema schema, boolean withMetadata, boolean withPosition) {
    this(
        schema,
        producedType(schema, withMetadata, withPosition),
        new RecordFaults(schema.rescued(), options.mode(), "_file_path"),
        withMetadata,
        withPosition);
  }

  /** For messages of a topic: {@code _metadata} is theirs, their place is always wanted. */
  RowAssembler(MessageLayout layout, SchemaEvolutionMode mode) {
    this(
        layout.schema(),
        layout.producedType(),
        new RecordFaults(layout.schema().rescued(), mode, "_topic_partition"),
        layout.metadata() != null,
        true);
  }

  private RowAssembler(
      FileSchema schema,
      RowType producedType,
      RecordFaults faults,
      boolean withMetadata,
      boolean withPosition) {
    this.schema = schema;
    this.withMetadata = withMetadata;
    this.withPosition = withPosition;
    this.columnCount = schema.data().getFieldCount();
    this.producedType = producedType;
    this.faults = faults;
    this.checksNulls = NullCheck.isNeeded(schema.data());
    this.folderValues = new Object[columnCount];
  }

  /** The columns, then {@code _metadata}, then ordinal of the file and offset, as wanted. */
  static RowType producedType(FileSchema schema, boolean withMetadata, boolean withPosition) {
    List<RowType.RowField> fields = new ArrayList<>(schema.data().getFields());
    if (withMetadata) {
      LogicalType text = new VarCharType(VarCharType.MAX_LENGTH);
      RowType metadata =
          RowType.of(
              new LogicalType[] {text, text, new BigIntType(), new LocalZonedTimestampType(3)},
              new String[] {"file_path", "file_name", "file_size", "file_modification_time"});
      fields.add(new RowType.RowField(METADATA, metadata));
    }
    if (withPosition) {
      fields.add(new RowType.RowField(FILE_ORDINAL, new IntType(false)));
      fields.add(new RowType.RowField(FILE_OFFSET, new BigIntType(false)));
    }
    return new RowType(false, fields);
  }

  RowType producedType() {
    return producedType;
  }

  /** The columns that a record's fields can fill, at their place in the row. */
  List<RowType.RowField> columns() {
    return schema.userColumns();
  }

  FileSchema schema() {
    return schema;
  }

  RecordFaults faults() {
    return faults;
  }

  void startFile(FileSplit split, RowSink newSink) {
    FileEntry file = split.file();
    sink = newSink;
    ordinal = split.ordinal();
    faults.startFile(file.path(), newSink);
    metadata =
        GenericRowData.of(
            StringData.fromString(file.path()),
            StringData.fromString(file.name()),
            file.size(),
            TimestampData.fromEpochMillis(file.modificationTimeMs()));
    misfits.clear();
    Map<String, String> folders = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    folders.putAll(FolderValues.of(file.path()));
    for (int column = 0; column < columns().size(); column++) {
      RowType.RowField field = columns().get(column);
      String text = isPartition(field.getName()) ? folders.get(field.getName()) : null;
      folderValues[column] = text == null ? null : folderValue(field, text);
    }
  }

  /**
   * Goes to a message.
   *
   * @param origin topic and partition, for faults and rescued data
   * @param partition its number
   * @param facts its {@code _metadata}; null where they are not wanted
   */
  void startMessage(String origin, int partition, GenericRowData facts, RowSink newSink) {
    sink = newSink;
    ordinal = partition;
    metadata = facts;
    faults.startFile(origin, newSink);
  }

  private boolean isPartition(String name) {
    return schema.partitionColumns().stream().anyMatch(name::equalsIgnoreCase);
  }

  private Object folderValue(RowType.RowField field, String text) {
    Object value = TextReaders.of(field.getType()).map(reader -> reader.read(text)).orElse(null);
    if (value == null) {
      misfits.add(new Misfit(field.getName(), field.getType(), text));
    }
    return value;
  }

  /** A new row that holds the values of the folders; the record's fields go over them. */
  GenericRowData startRecord() {
    faults.startRecord();
    GenericRowData row = new GenericRowData(producedType.getFieldCount());
    for (int column = 0; column < columnCount; column++) {
      if (folderValues[column] != null) {
        row.setField(column, folderValues[column]);
      }
    }
    for (Misfit misfit : misfits) {
      JsonGenerator kept = faults.mismatch(misfit.column(), misfit.type(), misfit.value());
      if (kept != null) {
        try {
          kept.writeString(misfit.value());
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
    }
    return row;
  }

  /**
   * Hands the record on, as a row or as malformed.
   *
   * @param raw its text, for the report
   */
  void finish(GenericRowData row, long offset, Supplier<String> raw) {
    if (checksNulls && faults.reason() == null) {
      NullCheck.violation(row, schema.data())
          .ifPresent(name -> faults.fail("column '" + name + "' is NOT NULL and has no value"));
    }
    if (faults.reason() != null) {
      malformed(faults.reason(), raw.get(), offset);
      return;
    }
    if (schema.rescued()) {
      row.setField(columnCount - 1, faults.rescuedData());
    }
    if (withMetadata) {
      row.setField(columnCount, metadata);
    }
    if (withPosition) {
      row.setField(row.getArity() - 2, ordinal);
      row.setField(row.getArity() - 1, offset);
    }
    sink.row(row, offset);
  }

  void malformed(String reason, String raw, long offset) {
    boolean cut = raw.length() > FileRowReader.MAX_RAW_CHARACTERS;
    sink.malformed(reason, cut ? raw.substring(0, FileRowReader.MAX_RAW_CHARACTERS) : raw, offset);
  }
}
