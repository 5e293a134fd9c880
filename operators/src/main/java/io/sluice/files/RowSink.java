package io.sluice.files;

import org.apache.flink.table.data.RowData;

/** Where a {@link FileRowReader} puts what it reads. */
public interface RowSink {

  /**
   * A record that was read.
   *
   * @param row a new row of the reader's produced type; the receiver may keep it
   * @param offset where the record begins; increases inside a file
   */
  void row(RowData row, long offset);

  /**
   * A record that could not be read.
   *
   * @param rawTextTruncated its text, cut at {@link FileRowReader#MAX_RAW_CHARACTERS} characters
   */
  void malformed(String reason, String rawTextTruncated, long offset);

  /**
   * A field of the data that has no column, told once per reader and name; nested fields as {@code
   * parent.child}.
   */
  default void newColumn(String name) {}
}
