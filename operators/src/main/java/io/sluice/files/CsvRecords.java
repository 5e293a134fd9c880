package io.sluice.files;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The records of delimited text as in RFC 4180: fields may be quoted, a quote inside is doubled, a
 * quoted field may hold line breaks. Blank lines are no records. After a bad record reading goes on
 * with the next line.
 */
final class CsvRecords implements Closeable {

  /** A longer record is bad; a quote that is never closed would otherwise eat the whole file. */
  static final int MAX_RECORD_BYTES = 16 << 20;

  private static final int NONE = -1;

  private final InputStream stream;
  private final int delimiter;
  private final byte[] buffer;
  private int at;
  private int limit;
  private long bufferOffset;

  private final List<String> fields = new ArrayList<>();
  private byte[] field = new byte[256];
  private int fieldLength;
  private byte[] raw = new byte[FileRowReader.MAX_RAW_CHARACTERS];
  private long recordOffset;
  private long recordBytes;
  private String problem;

  CsvRecords(InputStream stream, char delimiter) throws IOException {
    this(stream, delimiter, 64 << 10);
  }

  /**
   * @param bufferBytes how much is read at once; at least 4
   */
  CsvRecords(InputStream stream, char delimiter, int bufferBytes) throws IOException {
    this.buffer = new byte[bufferBytes];
    this.stream = stream;
    this.delimiter = delimiter;
    fill();
    boolean mark =
        limit >= 3
            && buffer[0] == (byte) 0xEF
            && buffer[1] == (byte) 0xBB
            && buffer[2] == (byte) 0xBF;
    at = mark ? 3 : 0;
  }

  /** Goes to the next record; false at the end. */
  boolean next() throws IOException {
    do {
      fields.clear();
      problem = null;
      recordOffset = bufferOffset + at;
      recordBytes = 0;
      if (peek() == NONE) {
        return false;
      }
      readRecord();
    } while (problem == null && fields.size() == 1 && fields.get(0) == null);
    return true;
  }

  private void readRecord() throws IOException {
    int end;
    do {
      fieldLength = 0;
      boolean quoted = peek() == '"';
      end = quoted ? readQuoted() : readPlain();
      if (problem != null) {
        return;
      }
      fields.add(fieldLength == 0 && !quoted ? null : decode());
    } while (end == delimiter);
  }

  /** Reads to the delimiter or line feed behind an unquoted field, which is the answer. */
  private int readPlain() throws IOException {
    while (true) {
      int character = take();
      if (character == '\r' && peek() == '\n') {
        character = take();
      }
      if (character == delimiter || character == '\n' || character == NONE) {
        return character;
      }
      append(character);
      if (problem != null) {
        return NONE;
      }
    }
  }

  private int readQuoted() throws IOException {
    take();
    while (true) {
      int character = take();
      if (character == NONE) {
        problem = "a quote is not closed";
        return NONE;
      }
      if (character == '"') {
        if (peek() != '"') {
          return readBehindQuote();
        }
        take();
      }
      append(character);
      if (problem != null) {
        return NONE;
      }
    }
  }

  private int readBehindQuote() throws IOException {
    int character = take();
    if (character == '\r' && peek() == '\n') {
      character = take();
    }
    if (character == delimiter || character == '\n' || character == NONE) {
      return character;
    }
    problem = "there is text behind a closing quote";
    skipLine();
    return NONE;
  }

  private void append(int character) throws IOException {
    if (recordBytes > MAX_RECORD_BYTES) {
      problem = "a record of more than " + MAX_RECORD_BYTES + " bytes; is a quote not closed?";
      skipLine();
      return;
    }
    if (fieldLength == field.length) {
      field = Arrays.copyOf(field, fieldLength * 2);
    }
    field[fieldLength++] = (byte) character;
  }

  private void skipLine() throws IOException {
    int character;
    do {
      character = take();
    } while (character != '\n' && character != NONE);
  }

  private String decode() {
    int ascii = 0;
    while (ascii < fieldLength && field[ascii] >= 0) {
      ascii++;
    }
    if (ascii == fieldLength) {
      return new String(field, 0, fieldLength, StandardCharsets.ISO_8859_1);
    }
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .onMalformedInput(CodingErrorAction.REPORT)
          .decode(ByteBuffer.wrap(field, 0, fieldLength))
          .toString();
    } catch (CharacterCodingException e) {
      problem = "field " + (fields.size() + 1) + " is no UTF-8 text";
      return "";
    }
  }

  private int take() throws IOException {
    int character = peek();
    if (character != NONE) {
      if (recordBytes < raw.length) {
        raw[(int) recordBytes] = (byte) character;
      }
      recordBytes++;
      at++;
    }
    return character;
  }

  private int peek() throws IOException {
    if (at == limit && !fill()) {
      return NONE;
    }
    return buffer[at] & 0xFF;
  }

  private boolean fill() throws IOException {
    bufferOffset += limit;
    at = 0;
    limit = 0;
    // The byte order mark needs three bytes at once.
    while (limit < 3) {
      int count = stream.read(buffer, limit, buffer.length - limit);
      if (count < 0) {
        break;
      }
      limit += count;
    }
    return limit > 0;
  }

  /** The fields in order; null for an empty one without quotes. Valid until the next record. */
  List<String> fields() {
    return fields;
  }

  /** Byte of the content at which the record begins. */
  long offset() {
    return recordOffset;
  }

  /** Bytes of the content up to the end of the record. */
  long bytesRead() {
    return bufferOffset + at;
  }

  /** What is wrong with the record; null where it is good. */
  String problem() {
    return problem;
  }

  /** The beginning of the record as it is written. */
  String rawText() {
    int length = (int) Math.min(recordBytes, raw.length);
    return new String(raw, 0, length, StandardCharsets.UTF_8).stripTrailing();
  }

  @Override
  public void close() throws IOException {
    stream.close();
  }
}
