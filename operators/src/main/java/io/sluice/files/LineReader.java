package io.sluice.files;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * The lines of a byte range, each where it begins. Lines end with a line feed (a carriage return
 * before it is cut off) or with the stream. A byte order mark at the beginning of the file is no
 * part of its first line, which begins at byte 0 all the same.
 */
final class LineReader implements Closeable {

  /** A longer line is reported, not kept in memory. */
  static final int MAX_LINE_BYTES = 64 << 20;

  private static final int INITIAL_BUFFER_BYTES = 256 << 10;

  private final InputStream stream;
  private final long end;
  private byte[] buffer = new byte[INITIAL_BUFFER_BYTES];
  private long bufferOffset;
  private int limit;
  private int next;
  private int from;
  private int length;
  private boolean tooLong;
  private boolean exhausted;

  /**
   * Reads the lines that begin in {@code [start, end)}.
   *
   * @param stream stands at byte {@code start - 1} if start is above 0, else at byte 0
   */
  LineReader(InputStream stream, long start, long end) throws IOException {
    this.stream = stream;
    this.end = end;
    this.bufferOffset = Math.max(start - 1, 0);
    if (start > 0) {
      // The byte before the split says whether a line begins with it.
      readLine();
    }
  }

  /** Goes to the next line; false where there is none that begins before the end. */
  boolean next() throws IOException {
    return bufferOffset + next < end && readLine();
  }

  private boolean readLine() throws IOException {
    tooLong = false;
    int scanned = next;
    while (true) {
      for (int at = scanned; at < limit; at++) {
        if (buffer[at] == '\n') {
          finish(next, at);
          next = at + 1;
          return true;
        }
      }
      int kept = limit - next;
      if (kept >= MAX_LINE_BYTES) {
        return skipLongLine();
      }
      if (!fill()) {
        if (kept == 0) {
          return false;
        }
        finish(next, limit);
        next = limit;
        return true;
      }
      scanned = next + kept;
    }
  }

  private void finish(int lineFrom, int lineTo) {
    from = lineFrom;
    int to = lineTo > lineFrom && buffer[lineTo - 1] == '\r' ? lineTo - 1 : lineTo;
    length = to - lineFrom;
  }

  /** Keeps the beginning of the line for the report and goes to its end. */
  private boolean skipLongLine() throws IOException {
    long lineOffset = bufferOffset + next;
    byte[] beginning = Arrays.copyOfRange(buffer, next, next + FileRowReader.MAX_RAW_CHARACTERS);
    long skipped = limit - next;
    boolean ended = false;
    byte[] chunk = new byte[INITIAL_BUFFER_BYTES];
    int rest = 0;
    int restFrom = 0;
    while (!ended) {
      int count = stream.read(chunk, 0, chunk.length);
      if (count < 0) {
        break;
      }
      int at = 0;
      while (at < count && chunk[at] != '\n') {
        at++;
      }
      ended = at < count;
      skipped += ended ? at + 1 : count;
      restFrom = ended ? at + 1 : count;
      rest = count - restFrom;
    }
    System.arraycopy(beginning, 0, buffer, 0, beginning.length);
    System.arraycopy(chunk, restFrom, buffer, beginning.length, rest);
    bufferOffset = lineOffset + skipped - beginning.length;
    from = 0;
    length = beginning.length;
    next = beginning.length;
    limit = beginning.length + rest;
    tooLong = true;
    longLineOffset = lineOffset;
    return true;
  }

  private long longLineOffset;

  private boolean fill() throws IOException {
    if (exhausted) {
      return false;
    }
    if (next > 0) {
      System.arraycopy(buffer, next, buffer, 0, limit - next);
      bufferOffset += next;
      limit -= next;
      next = 0;
    } else if (limit == buffer.length) {
      buffer = Arrays.copyOf(buffer, buffer.length * 2);
    }
    int count = stream.read(buffer, limit, buffer.length - limit);
    if (count < 0) {
      exhausted = true;
      return false;
    }
    limit += count;
    return true;
  }

  /** The array that holds the line from {@link #from()} on; valid until the next call. */
  byte[] buffer() {
    return buffer;
  }

  int from() {
    return from + markLength();
  }

  /** Bytes of the line, without its end. */
  int length() {
    return length - markLength();
  }

  /** The byte of the file at which the line begins. */
  long offset() {
    return tooLong ? longLineOffset : bufferOffset + from;
  }

  /** Whether the line is longer than {@link #MAX_LINE_BYTES}; only its beginning is there then. */
  boolean isTooLong() {
    return tooLong;
  }

  boolean isBlank() {
    for (int at = from(); at < from() + length(); at++) {
      if (buffer[at] != ' ' && buffer[at] != '\t' && buffer[at] != '\r') {
        return false;
      }
    }
    return true;
  }

  private int markLength() {
    boolean marked =
        offset() == 0
            && length >= 3
            && buffer[from] == (byte) 0xEF
            && buffer[from + 1] == (byte) 0xBB
            && buffer[from + 2] == (byte) 0xBF;
    return marked ? 3 : 0;
  }

  @Override
  public void close() throws IOException {
    stream.close();
  }
}
