package io.sluice.table;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;
import org.apache.iceberg.io.FileRange;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.RangeReadable;
import org.apache.iceberg.io.SeekableInputStream;

/** An input file that counts the bytes its readers ask for. Ranged reads stay ranged. */
final class CountingInputFile implements InputFile {

  private final InputFile delegate;
  private final AtomicLong bytes;

  CountingInputFile(InputFile delegate, AtomicLong bytes) {
    this.delegate = delegate;
    this.bytes = bytes;
  }

  @Override
  public long getLength() {
    return delegate.getLength();
  }

  @Override
  public SeekableInputStream newStream() {
    SeekableInputStream stream = delegate.newStream();
    return stream instanceof RangeReadable ranges
        ? new RangedStream(stream, ranges, bytes)
        : new CountingStream(stream, bytes);
  }

  @Override
  public String location() {
    return delegate.location();
  }

  @Override
  public boolean exists() {
    return delegate.exists();
  }

  private static class CountingStream extends SeekableInputStream {
    private final SeekableInputStream delegate;
    final AtomicLong bytes;

    CountingStream(SeekableInputStream delegate, AtomicLong bytes) {
      this.delegate = delegate;
      this.bytes = bytes;
    }

    @Override
    public long getPos() throws IOException {
      return delegate.getPos();
    }

    @Override
    public void seek(long position) throws IOException {
      delegate.seek(position);
    }

    @Override
    public int read() throws IOException {
      int read = delegate.read();
      if (read >= 0) {
        bytes.incrementAndGet();
      }
      return read;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
      int read = delegate.read(buffer, offset, length);
      if (read > 0) {
        bytes.addAndGet(read);
      }
      return read;
    }

    @Override
    public void close() throws IOException {
      delegate.close();
    }
  }

  private static final class RangedStream extends CountingStream implements RangeReadable {
    private final RangeReadable ranges;

    RangedStream(SeekableInputStream delegate, RangeReadable ranges, AtomicLong bytes) {
      super(delegate, bytes);
      this.ranges = ranges;
    }

    @Override
    public void readFully(long position, byte[] buffer, int offset, int length) throws IOException {
      ranges.readFully(position, buffer, offset, length);
      bytes.addAndGet(length);
    }

    @Override
    public int readTail(byte[] buffer, int offset, int length) throws IOException {
      int read = ranges.readTail(buffer, offset, length);
      bytes.addAndGet(read);
      return read;
    }

    @Override
    public void readVectored(List<FileRange> requested, IntFunction<ByteBuffer> allocate)
        throws IOException {
      ranges.readVectored(requested, allocate);
      requested.forEach(range -> bytes.addAndGet(range.length()));
    }
  }
}
