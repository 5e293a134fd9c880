package io.sluice.kafka;

import io.sluice.files.FileSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.table.types.logical.BigIntType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.VarCharType;

/** The columns of Debezium's change events of one table. */
final class DebeziumEnvelope {

  private static final LogicalType TEXT = new VarCharType(VarCharType.MAX_LENGTH);
  private static final LogicalType NUMBER = new BigIntType();

  private static final List<String> SOURCE_TEXTS =
      List.of(
          "version",
          "connector",
          "name",
          "snapshot",
          "db",
          "schema",
          "table",
          "sequence",
          "file",
          "gtid",
          "scn",
          "commit_scn",
          "rs_id",
          "change_lsn",
          "commit_lsn",
          "user_name");

  private static final List<String> SOURCE_NUMBERS =
      List.of(
          "ts_ms",
          "ts_us",
          "ts_ns",
          "lsn",
          "xmin",
          "server_id",
          "pos",
          "row",
          "thread",
          "ssn",
          "redo_thread",
          "txSeq",
          "event_serial_no");

  private DebeziumEnvelope() {}

  /**
   * {@code op, before, after, source, ts_ms, ts_us, ts_ns, transaction}, and {@code _rescued_data}
   * where the table's columns have it.
   *
   * @param table the columns of the table; NOT NULL holds for none of them, because {@code before}
   *     often has the key alone
   */
  static FileSchema of(FileSchema table) {
    List<RowType.RowField> columns = new ArrayList<>();
    for (RowType.RowField column : table.data().getFields()) {
      if (!column.getName().equals(FileSchema.RESCUED_DATA)) {
        columns.add(new RowType.RowField(column.getName(), column.getType().copy(true)));
      }
    }
    RowType image = new RowType(true, columns);
    List<RowType.RowField> fields = new ArrayList<>();
    fields.add(new RowType.RowField("op", TEXT));
    fields.add(new RowType.RowField("before", image));
    fields.add(new RowType.RowField("after", image));
    fields.add(new RowType.RowField("source", source()));
    for (String time : List.of("ts_ms", "ts_us", "ts_ns")) {
      fields.add(new RowType.RowField(time, NUMBER));
    }
    fields.add(new RowType.RowField("transaction", transaction()));
    FileSchema schema = new FileSchema(new RowType(false, fields), List.of(), false);
    return table.rescued() ? schema.withRescuedData() : schema;
  }

  /** What the connectors for PostgreSQL, MySQL, MariaDB, SQL Server and Oracle tell. */
  private static RowType source() {
    Map<String, LogicalType> fields = new TreeMap<>();
    SOURCE_TEXTS.forEach(name -> fields.put(name, TEXT));
    SOURCE_NUMBERS.forEach(name -> fields.put(name, NUMBER));
    return row(fields);
  }

  private static RowType transaction() {
    return row(
        new TreeMap<>(Map.of("id", TEXT, "total_order", NUMBER, "data_collection_order", NUMBER)));
  }

  private static RowType row(Map<String, LogicalType> types) {
    List<RowType.RowField> fields = new ArrayList<>();
    types.forEach((name, type) -> fields.add(new RowType.RowField(name, type)));
    return new RowType(true, fields);
  }
}
