package io.sluice.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LineReaderTest {

  private record Line(long offset, String text) {}

  /** Reads as a naive program would: the whole text at once. */
  private static List<Line> expected(String content) {
    List<Line> lines = new ArrayList<>();
    byte[] bytes = content.getBytes(StandardCharsets.UTF_8);
    int start = 0;
    for (int at = 0; at <= bytes.length; at++) {
      if (at == bytes.length ? start < at : bytes[at] == '\n') {
        String text = new String(bytes, start, at - start, StandardCharsets.UTF_8);
        String bare = text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
        lines.add(new Line(start, start == 0 ? bare.replace("\uFEFF", "") : bare));
        start = at + 1;
      }
    }
    return lines;
  }

  private static void readInto(List<Line> lines, byte[] bytes, long start, long end)
      throws IOException {
    int from = (int) Math.max(start - 1, 0);
    InputStream stream = new ByteArrayInputStream(bytes, from, bytes.length - from);
    try (LineReader reader = new LineReader(new Trickle(stream), start, end)) {
      while (reader.next()) {
        lines.add(
            new Line(
                reader.offset(),
                new String(
                    reader.buffer(), reader.from(), reader.length(), StandardCharsets.UTF_8)));
      }
    }
  }

  /** Gives a few bytes at a time, as a network does. */
  private static final class Trickle extends InputStream {
    private final InputStream stream;

    private Trickle(InputStream stream) {
      this.stream = stream;
    }

    @Override
    public int read() throws IOException {
      return stream.read();
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      return stream.read(bytes, offset, Math.min(length, 3));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "\n",
        "a",
        "a\n",
        "a\nbc\n\nd",
        "a\r\nbc\r\n\r\nd\r\n",
        "\n\n\na\n\n",
        "\uFEFFa\nb\n",
        "\uFEFF",
        "ä\n日本\r\n𝄞\n",
        "a\rb\nc",
      })
  void everyTwoCutsGiveEveryLineOnce(String content) throws IOException {
    byte[] bytes = content.getBytes(StandardCharsets.UTF_8);
    for (int first = 0; first <= bytes.length; first++) {
      for (int second = first; second <= bytes.length; second++) {
        List<Line> lines = new ArrayList<>();
        readInto(lines, bytes, 0, first);
        readInto(lines, bytes, first, second);
        readInto(lines, bytes, second, bytes.length);

        assertThat(lines).as("cut at %d and %d", first, second).isEqualTo(expected(content));
      }
    }
  }

  @Test
  void linesLongerThanTheBufferAreWhole() throws IOException {
    Random random = new Random(7);
    StringBuilder content = new StringBuilder();
    for (int length : new int[] {10, 600_000, 0, 262_143, 262_144, 262_145, 1_500_000, 3}) {
      for (int index = 0; index < length; index++) {
        content.append((char) ('a' + random.nextInt(26)));
      }
      content.append('\n');
    }
    byte[] bytes = content.toString().getBytes(StandardCharsets.UTF_8);
    List<Line> lines = new ArrayList<>();

    try (LineReader reader = new LineReader(new ByteArrayInputStream(bytes), 0, bytes.length)) {
      while (reader.next()) {
        lines.add(
            new Line(
                reader.offset(),
                new String(
                    reader.buffer(), reader.from(), reader.length(), StandardCharsets.UTF_8)));
      }
    }

    assertThat(lines).isEqualTo(expected(content.toString()));
  }

  @Test
  void aLineBeyondTheLimitIsToldAndTheNextOneIsRead() throws IOException {
    byte[] bytes = new byte[LineReader.MAX_LINE_BYTES + 1_000_000];
    Arrays.fill(bytes, (byte) 'x');
    bytes[1] = '\n';
    bytes[bytes.length - 5] = '\n';

    try (LineReader reader = new LineReader(new ByteArrayInputStream(bytes), 0, bytes.length)) {
      assertThat(reader.next()).isTrue();
      assertThat(reader.isTooLong()).isFalse();
      assertThat(reader.next()).isTrue();
      assertThat(reader.isTooLong()).isTrue();
      assertThat(reader.offset()).isEqualTo(2);
      assertThat(reader.next()).isTrue();
      assertThat(reader.isTooLong()).isFalse();
      assertThat(reader.offset()).isEqualTo(bytes.length - 4);
      assertThat(reader.length()).isEqualTo(4);
      assertThat(reader.next()).isFalse();
    }
  }
}
