package io.sluice.errors;

/**
 * Every error of Sluice by a code that never changes its meaning. The kind decides the exit code of
 * the command line: a definition error is found before any data moves, an update error while an
 * update runs.
 */
public enum ErrorCode {
  // --- text of the pipeline file
  SYNTAX(Kind.DEFINITION, "the statement does not follow the grammar"),
  NOT_SUPPORTED_YET(Kind.DEFINITION, "the grammar knows the clause, this version does not run it"),
  UNKNOWN_VARIABLE(Kind.DEFINITION, "${name} has no value"),
  DUPLICATE_CLAUSE(Kind.DEFINITION, "a clause is written twice"),
  UNKNOWN_OPTION(Kind.DEFINITION, "an option has no such name"),
  INVALID_OPTION(Kind.DEFINITION, "an option has a value that it cannot have"),

  // --- names and graph
  DUPLICATE_NAME(Kind.DEFINITION, "two tables, views or flows share a name"),
  INVALID_NAME(Kind.DEFINITION, "a table cannot have the name"),
  TABLE_OR_VIEW_NOT_FOUND(
      Kind.DEFINITION, "a table or view is neither in the file nor the catalog"),
  TARGET_NOT_FOUND(Kind.DEFINITION, "a flow writes into a table that the file does not declare"),
  DEPENDENCY_CYCLE(Kind.DEFINITION, "tables and views read each other in a circle"),
  INVALID_RESETTABLE_DEPENDENCY(
      Kind.DEFINITION, "a table without full refresh streams from one that may be refreshed"),
  INVALID_QUERY(Kind.DEFINITION, "Flink's planner refuses a query or an expression"),

  INVALID_EXPECTATION(
      Kind.DEFINITION, "an expectation holds a query or an aggregate, or is no condition"),
  EXPECTATIONS_NOT_SUPPORTED(
      Kind.DEFINITION, "expectations stand where a snapshot flow reads or writes"),
  BATCH_SOURCE(Kind.DEFINITION, "a flow that is not ONCE reads no source incrementally"),

  // --- AUTO CDC definitions (semantics.md section 19)
  AUTOCDC_EMPTY_KEYS(Kind.DEFINITION, "KEYS () names no column"),
  AUTOCDC_MULTIPART_COLUMN_IDENTIFIER(Kind.DEFINITION, "a column list holds a qualified name"),
  AUTOCDC_IGNORE_NULL_EMPTY_COLUMN_LIST(
      Kind.DEFINITION, "IGNORE NULL UPDATES ON () names no column"),
  AUTOCDC_COLUMNS_NOT_FOUND_IN_SCHEMA(Kind.DEFINITION, "a listed column is not in the source"),
  AUTOCDC_KEY_COLUMN_EXCLUDED(Kind.DEFINITION, "COLUMNS leaves out a key column"),
  AUTOCDC_RESERVED_COLUMN(Kind.DEFINITION, "the source has a column with a reserved name"),
  AUTOCDC_NON_ORDERABLE_SEQUENCE(Kind.DEFINITION, "the sequence has a type without an order"),
  AUTOCDC_TRACK_HISTORY_WITH_SCD1(Kind.DEFINITION, "TRACK HISTORY ON needs SCD TYPE 2"),
  AUTOCDC_TRUNCATE_NEEDS_SCD1(Kind.DEFINITION, "APPLY AS TRUNCATE needs SCD TYPE 1"),
  AUTOCDC_INCOMPATIBLE_CLAUSES(Kind.DEFINITION, "two clauses exclude each other"),
  AUTOCDC_FLOWS_DISAGREE(Kind.DEFINITION, "flows of one target differ in keys, type or sequence"),
  AUTOCDC_BATCH_SOURCE(Kind.DEFINITION, "AUTO CDC reads a source that is not streaming"),
  AUTOCDC_APPEND_INTO_CDC_TARGET(Kind.DEFINITION, "an append flow writes into a CDC target"),
  AUTOCDC_TARGET_DOES_NOT_SUPPORT_MERGE(
      Kind.DEFINITION, "AUTO CDC writes into a table that cannot delete rows"),
  MANAGED_TABLE_DOES_NOT_SUPPORT_CDC(
      Kind.DEFINITION, "AUTO CDC writes into a table of CREATE TABLE"),
  AUTOCDC_KEY_SCHEMA_DRIFT(Kind.DEFINITION, "the keys differ from those of the table"),
  AUTOCDC_SCD_TYPE_DRIFT(Kind.DEFINITION, "the SCD type differs from that of the table"),
  AUTOCDC_SEQUENCING_TYPE_DRIFT(Kind.DEFINITION, "the sequence type differs from the table's"),
  AUTOCDC_TRACK_HISTORY_DRIFT(Kind.DEFINITION, "the tracked columns differ from the table's"),

  // --- snapshots (semantics.md sections 11, 12 and 19)
  DUPLICATE_KEY_VIOLATION(Kind.UPDATE, "a snapshot has more than one row of a key"),
  NULL_SNAPSHOT_VERSION(Kind.UPDATE, "the function of a snapshot flow gives no version"),
  INVALID_SNAPSHOT_VERSION_TYPE(Kind.DEFINITION, "the version has a type without an order"),
  FIRST_SNAPSHOT_EMPTY(Kind.UPDATE, "the function of a snapshot flow gives no first snapshot"),
  OUT_OF_ORDER_SNAPSHOT_VERSION(Kind.UPDATE, "a version is not greater than the last one"),
  MULTIPLE_QUERIES_FOR_TABLE(Kind.DEFINITION, "a target has more than one snapshot flow"),
  INVALID_AUTO_CDC_FROM_SNAPSHOT_VERSION_QUERY(
      Kind.DEFINITION, "WITH VERSION gives more than one row or column, or a NULL"),
  AUTO_CDC_FROM_SNAPSHOT_VERSION_SCHEMA_CHANGED(
      Kind.DEFINITION, "the version's column has another name or type than before"),
  AUTO_CDC_FROM_SNAPSHOT_NON_EMPTY_TARGET_WITHOUT_VERSION(
      Kind.UPDATE, "a snapshot flow without WITH VERSION fills an empty target only"),
  UNRESOLVABLE_TABLE_VALUED_FUNCTION(
      Kind.DEFINITION, "a snapshot version function stands where it has no meaning"),
  SNAPSHOT_DELETES_TOO_MUCH(
      Kind.UPDATE, "a snapshot would delete more than sluice.snapshot.max-delete-ratio allows"),
  INTEROP_KEYS_MISMATCH(Kind.DEFINITION, "snapshot flow and AUTO CDC flows differ in keys"),
  INTEROP_CONTINUOUS_NOT_SUPPORTED(
      Kind.DEFINITION, "a table with snapshot and AUTO CDC flows in a continuous run"),
  INTEROP_IGNORE_NULL_UNSUPPORTED(
      Kind.DEFINITION, "partial updates go into a target that has a snapshot flow"),
  INTEROP_EXPECTATIONS_NOT_SUPPORTED(
      Kind.DEFINITION, "a target of snapshot and AUTO CDC flows has expectations"),
  INTEROP_SCD_TYPE_NOT_SUPPORTED(
      Kind.DEFINITION, "snapshot and AUTO CDC flows share an SCD TYPE 1 target only"),
  INTEROP_SEQUENCE_TYPE_MISMATCH(
      Kind.DEFINITION, "snapshot version and sequence of one target differ in type"),

  // --- target tables
  INCOMPATIBLE_SCHEMA(Kind.DEFINITION, "declared, existing and delivered columns do not fit"),
  TABLE_NOT_MANAGED(Kind.DEFINITION, "an existing table was not made by Sluice"),
  RESET_NOT_ALLOWED(Kind.DEFINITION, "pipelines.reset.allowed = false forbids a full refresh"),
  AMBIGUOUS_POSITION(Kind.DEFINITION, "it is unclear where a changed flow has to go on"),

  // --- catalog, call and machine
  INVALID_CALL(Kind.DEFINITION, "the command line is wrong"),
  CATALOG_CONFIG(Kind.DEFINITION, "the catalog's configuration is wrong"),
  CATALOG_UNAVAILABLE(Kind.UPDATE, "the catalog does not answer or is locked"),
  STORAGE(Kind.UPDATE, "files cannot be read or written"),

  // --- sources
  SOURCE_NOT_FOUND(Kind.DEFINITION, "a path matches nothing"),
  SCHEMA_NOT_INFERRED(Kind.DEFINITION, "there is no data to infer a schema from"),
  SOURCE_CHANGED(Kind.UPDATE, "a file vanished or changed between planning and reading"),
  MALFORMED_RECORD(Kind.UPDATE, "a record cannot be parsed or does not fit its type"),
  SOURCE_NOT_APPEND_ONLY(Kind.UPDATE, "a streaming read met updates or deletes"),
  SOURCE_HISTORY_LOST(Kind.UPDATE, "the snapshot a source was last read at is no longer known"),
  KAFKA_UNAVAILABLE(Kind.UPDATE, "brokers or schema registry do not answer or refuse"),
  KAFKA_OFFSETS_LOST(Kind.UPDATE, "messages that a flow has to read next are gone from the topic"),
  NEW_COLUMNS(Kind.UPDATE, "the source has new columns and failOnNewColumns is set"),

  // --- events and commit
  INVALID_EVENT(Kind.UPDATE, "an event has a NULL key, or a NULL or NaN sequence"),
  EXPECTATION_VIOLATED(Kind.UPDATE, "rows violate an expectation ON VIOLATION FAIL UPDATE"),
  TIE(Kind.UPDATE, "two different events share key and sequence and sluice.ties = FAIL"),
  CUTOVER_VIOLATION(
      Kind.UPDATE, "a live event is not behind what was seeded and sluice.cutover = FAIL"),
  INVALID_HISTORY(Kind.UPDATE, "a row of the target has bounds that no history can have"),
  COMMIT_CONFLICT(Kind.UPDATE, "another writer changed the table in a way that cannot be merged"),
  COMMIT_UNKNOWN(Kind.UPDATE, "the catalog does not say whether a commit landed"),
  RUN_ACTIVE(Kind.UPDATE, "a continuous run keeps the table, or ended without saying so"),
  CHECKPOINT_REFUSED(Kind.UPDATE, "a checkpoint does not fit the table that it is to go on with"),
  RESTART_NEEDED(Kind.UPDATE, "something came that a continuous run takes in by beginning anew"),
  LEDGER_CORRUPT(Kind.UPDATE, "the ledger of a table cannot be read"),
  UPDATE_FAILED(Kind.UPDATE, "Flink failed while the update ran");

  /** When an error is found. */
  public enum Kind {
    /** Before any data moves: exit code 2. */
    DEFINITION,
    /** While an update runs: exit code 1. */
    UPDATE
  }

  private final Kind kind;
  private final String meaning;

  ErrorCode(Kind kind, String meaning) {
    this.kind = kind;
    this.meaning = meaning;
  }

  public Kind kind() {
    return kind;
  }

  /** What the code stands for, in one line, as the documentation lists it. */
  public String meaning() {
    return meaning;
  }
}
