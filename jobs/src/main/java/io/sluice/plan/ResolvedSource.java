package io.sluice.plan;

import io.sluice.files.FileEntry;
import io.sluice.files.FileSchema;
import io.sluice.files.ReadFilesOptions;
import io.sluice.kafka.KafkaTopic;
import io.sluice.kafka.LostOffsets;
import io.sluice.kafka.ReadKafkaOptions;
import io.sluice.sql.QualifiedName;
import io.sluice.sql.SourceReference;
import java.util.List;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.RowType;

/** A source of a flow with its columns. */
public sealed interface ResolvedSource {

  /** Column with the number of a record's file in the update; never visible to queries. */
  String ORDINAL = "__file_ordinal";

  /** Column with the place of a record in its file; never visible to queries. */
  String OFFSET = "__file_offset";

  /** The hidden columns that carry a record's position through a query. */
  List<String> POSITION_COLUMNS = List.of(ORDINAL, OFFSET);

  /** Column that is TRUE for a row that its source deletes; never visible to queries. */
  String ROW_DELETE = "__row_delete";

  SourceReference reference();

  /** What the ledger calls the source: the same source has the same id in every update. */
  String id();

  /** The columns that queries see. */
  RowType columns();

  /** Whether the flow reads only what is new. */
  boolean streaming();

  /** The columns that its rows carry behind the visible ones if they carry their position. */
  default List<String> hiddenColumns() {
    return POSITION_COLUMNS;
  }

  /** Whether its rows say themselves what is deleted (semantics 4.1). */
  default boolean changelog() {
    return false;
  }

  /** A topic of Kafka. */
  sealed interface OfTopic extends ResolvedSource {

    KafkaTopic topic();

    /** What happens where messages are gone before they were read. */
    LostOffsets onLostOffsets();
  }

  /**
   * read_kafka.
   *
   * @param options its arguments
   */
  record ReadKafka(
      SourceReference reference,
      String id,
      boolean streaming,
      ReadKafkaOptions options,
      LostOffsets onLostOffsets)
      implements OfTopic {

    @Override
    public KafkaTopic topic() {
      return options.topic();
    }

    @Override
    public RowType columns() {
      return options.schema().data();
    }
  }

  /**
   * A table with Flink's Kafka connector.
   *
   * @param name the table
   * @param changelog whether its format tells inserts, updates and deletes apart
   */
  record KafkaTable(
      SourceReference reference,
      String id,
      boolean streaming,
      QualifiedName name,
      RowType columns,
      KafkaTopic topic,
      boolean changelog,
      LostOffsets onLostOffsets)
      implements OfTopic {

    @Override
    public List<String> hiddenColumns() {
      return changelog ? List.of(ROW_DELETE, ORDINAL, OFFSET) : POSITION_COLUMNS;
    }
  }

  /**
   * read_files.
   *
   * @param files all files that the path matches now, sorted by path
   * @param known files that the flow has read already
   */
  record Files(
      SourceReference reference,
      String id,
      boolean streaming,
      ReadFilesOptions options,
      FileSchema schema,
      List<FileEntry> files,
      FileSet known)
      implements ResolvedSource {

    public Files {
      files = List.copyOf(files);
    }

    @Override
    public RowType columns() {
      return schema.data();
    }

    /** The files that the flow has not read. */
    List<FileEntry> pending() {
      return files.stream().filter(file -> !known.contains(file)).toList();
    }
  }

  /** An Iceberg table of the catalog, which may be a table of this pipeline. */
  record CatalogTable(
      SourceReference reference, String id, boolean streaming, QualifiedName name, RowType columns)
      implements ResolvedSource {}

  /** A table that only Flink knows; it is read in full. */
  record FlinkTable(SourceReference reference, String id, QualifiedName name, RowType columns)
      implements ResolvedSource {

    @Override
    public boolean streaming() {
      return false;
    }
  }

  /**
   * A table function whose rows are known before a job starts.
   *
   * @param rows what a job reads; not yet known while the definition is checked
   */
  record Rows(SourceReference reference, String id, RowType columns, List<RowData> rows)
      implements ResolvedSource {

    public Rows {
      rows = List.copyOf(rows);
    }

    @Override
    public boolean streaming() {
      return false;
    }
  }
}
