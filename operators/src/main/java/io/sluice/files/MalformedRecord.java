package io.sluice.files;

/**
 * A record that could not be read; it follows the invalid-event rule (semantics 0.3).
 *
 * @param path the file
 * @param offset where the record begins: byte (JSON, CSV) or row number (Parquet, Avro)
 * @param reason what is wrong, naming the column where one is concerned
 * @param raw the record's text, cut at {@link FileRowReader#MAX_RAW_CHARACTERS} characters
 */
public record MalformedRecord(String path, long offset, String reason, String raw)
    implements java.io.Serializable {}
