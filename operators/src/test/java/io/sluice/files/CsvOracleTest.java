package io.sluice.files;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.dataformat.csv.CsvMapper;
import com.fasterxml.jackson.dataformat.csv.CsvParser;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Random well-formed CSV against Jackson's reader, and every cut of it against itself. */
class CsvOracleTest {

  private static final String[] PIECES = {
    "a", "ä", "日𝄞", " ", ",", "\"", "\n", "\r\n", "\r", ";", "1", "'", "\\"
  };

  private static String field(Random random) {
    StringBuilder text = new StringBuilder();
    for (int count = random.nextInt(6); count > 0; count--) {
      text.append(PIECES[random.nextInt(PIECES.length)]);
    }
    return text.toString();
  }

  private static String content(Random random) {
    StringBuilder content = new StringBuilder();
    int width = 2 + random.nextInt(3);
    for (int record = random.nextInt(20); record > 0; record--) {
      for (int column = 0; column < width; column++) {
        String text = field(random);
        boolean quoted = text.matches("(?s).*[\",\r\n].*") || random.nextInt(4) == 0;
        content.append(column == 0 ? "" : ",");
        content.append(quoted ? "\"" + text.replace("\"", "\"\"") + "\"" : text);
      }
      content.append(
          record == 1 && random.nextBoolean() ? "" : random.nextBoolean() ? "\n" : "\r\n");
    }
    return content.toString();
  }

  private static List<List<String>> ours(String content) throws IOException {
    List<List<String>> records = new ArrayList<>();
    byte[] bytes = content.getBytes(StandardCharsets.UTF_8);
    try (CsvRecords reader = new CsvRecords(new ByteArrayInputStream(bytes), ',')) {
      while (reader.next()) {
        assertThat(reader.problem()).isNull();
        records.add(reader.fields().stream().map(text -> text == null ? "" : text).toList());
      }
      assertThat(reader.bytesRead()).isEqualTo(bytes.length);
    }
    return records;
  }

  @Test
  void recordsAreThoseOfJackson() throws IOException {
    long seed = 41;
    Random random = new Random(seed);
    CsvMapper mapper = new CsvMapper();
    mapper.enable(CsvParser.Feature.WRAP_AS_ARRAY);
    for (int round = 0; round < 3_000; round++) {
      String content = content(random);
      List<List<String>> expected = new ArrayList<>();
      try (MappingIterator<String[]> iterator =
          mapper.readerFor(String[].class).readValues(content)) {
        iterator.forEachRemaining(record -> expected.add(List.of(record)));
      }

      assertThat(ours(content))
          .as("seed %d round %d: %s", seed, round, content)
          .isEqualTo(expected);
    }
  }

  @Test
  void aRecordBeginsWhereItsOffsetSays() throws IOException {
    Random random = new Random(42);
    for (int round = 0; round < 500; round++) {
      byte[] bytes = content(random).getBytes(StandardCharsets.UTF_8);
      try (CsvRecords reader = new CsvRecords(new ByteArrayInputStream(bytes), ',')) {
        while (reader.next()) {
          List<String> fields = List.copyOf(reader.fields().stream().map(String::valueOf).toList());
          int offset = (int) reader.offset();
          ByteArrayInputStream rest =
              new ByteArrayInputStream(bytes, offset, bytes.length - offset);
          try (CsvRecords again = new CsvRecords(rest, ',')) {
            assertThat(again.next()).isTrue();
            assertThat(again.fields().stream().map(String::valueOf).toList()).isEqualTo(fields);
          }
        }
      }
    }
  }
}
