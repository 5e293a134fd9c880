package io.sluice.files;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Random lines, good and damaged, against a naive reader over Jackson's trees. */
class JsonOracleTest {

  private static final ObjectMapper MAPPER =
      new ObjectMapper()
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);
  private static final String[] NAMES = {"id", "name", "ok", "sub", "list", "other"};
  private static final String[] VALUES = {
    "1",
    "-7",
    "9999999999",
    "1.5",
    "true",
    "false",
    "null",
    "\"x\"",
    "\"ä\\u00e4日𝄞\"",
    "\"\"",
    "[]",
    "[1,2]",
    "[1,\"a\"]",
    "{}",
    "{\"a\":1}",
    "{\"a\":\"s\",\"b\":[{}]}",
    "\"2025-01-01\""
  };

  @TempDir Path folder;

  private static String line(Random random) {
    StringBuilder line = new StringBuilder("{");
    List<String> names = new ArrayList<>(List.of(NAMES));
    java.util.Collections.shuffle(names, random);
    int count = random.nextInt(NAMES.length + 1);
    for (int index = 0; index < count; index++) {
      line.append(index == 0 ? "" : random.nextBoolean() ? "," : " , ");
      line.append('"').append(names.get(index)).append("\":");
      line.append(VALUES[random.nextInt(VALUES.length)]);
    }
    line.append('}');
    if (random.nextInt(8) == 0) {
      int at = random.nextInt(line.length());
      at -= Character.isLowSurrogate(line.charAt(at)) ? 1 : 0;
      if (random.nextBoolean()) {
        line.setLength(at);
      } else {
        line.insert(at, "{}[],:\"x1".charAt(random.nextInt(9)));
      }
    }
    return line.toString();
  }

  /** The row as JSON where the line is good, else null; what does not fit is left to null. */
  private static String naive(String line) {
    JsonNode node;
    try {
      node = MAPPER.readTree(line);
    } catch (IOException e) {
      return null;
    }
    if (!node.isObject()) {
      return null;
    }
    JsonNode id = node.path("id");
    JsonNode name = node.path("name");
    JsonNode ok = node.path("ok");
    JsonNode sub = node.path("sub");
    JsonNode list = node.path("list");
    List<String> elements = new ArrayList<>();
    list.forEach(element -> elements.add(element.isInt() ? element.toString() : "null"));
    String text =
        name.isMissingNode() || name.isNull()
            ? "null"
            : name.isTextual()
                ? name.toString()
                : MAPPER.getNodeFactory().textNode(name.toString()).toString();
    return (id.isInt() ? id.toString() : "null")
        + "|"
        + text
        + "|"
        + (ok.isBoolean() ? ok.toString() : "null")
        + "|"
        + (sub.isObject()
            ? "{\"a\":" + (sub.path("a").isInt() ? sub.get("a").toString() : "null") + "}"
            : "null")
        + "|"
        + (list.isArray() ? "[" + String.join(",", elements) + "]" : "null");
  }

  @Test
  void everyLineIsTheRowOfTheNaiveReaderOrMalformedAtItsOffset() throws IOException {
    long seed = 43;
    Random random = new Random(seed);
    StringBuilder content = new StringBuilder();
    List<String> expectedRows = new ArrayList<>();
    List<Long> expectedOffsets = new ArrayList<>();
    List<Long> expectedMalformed = new ArrayList<>();
    long offset = 0;
    for (int index = 0; index < 20_000; index++) {
      String line = line(random);
      String row = naive(line);
      if (row != null) {
        expectedRows.add(row);
        expectedOffsets.add(offset);
      } else if (!line.isBlank()) {
        expectedMalformed.add(offset);
      }
      String end = random.nextInt(5) == 0 ? "\r\n" : "\n";
      content.append(line).append(end);
      offset += (line + end).getBytes(StandardCharsets.UTF_8).length;
    }
    Path file = folder.resolve("in.json");
    Files.writeString(file, content);
    ReadFilesOptions options =
        ReadFilesOptions.of(file.toString(), Map.of("schemaEvolutionMode", "rescue"));
    FileSchema schema =
        FileSchema.declared("id INT, name STRING, ok BOOLEAN, sub STRUCT<a: INT>, list ARRAY<INT>")
            .withRescuedData();

    for (long splitBytes : new long[] {Long.MAX_VALUE, 100_000, 1_000}) {
      Reading reading = Reading.of(options, schema, false, splitBytes);
      List<String> rows = new ArrayList<>();
      List<List<String>> columns =
          List.of(
              reading.json("id"),
              reading.json("name"),
              reading.json("ok"),
              reading.json("sub"),
              reading.json("list"));
      for (int index = 0; index < reading.rows.size(); index++) {
        int at = index;
        rows.add(String.join("|", columns.stream().map(column -> column.get(at)).toList()));
      }

      assertThat(reading.malformed)
          .as("seed %d", seed)
          .extracting(MalformedRecord::offset)
          .isEqualTo(expectedMalformed);
      assertThat(reading.offsets).isEqualTo(expectedOffsets);
      assertThat(rows).isEqualTo(expectedRows);
    }
  }

  @Test
  void nothingOfARecordIsLostWhereValuesAreRescued() throws IOException {
    Random random = new Random(44);
    StringBuilder content = new StringBuilder();
    List<JsonNode> trees = new ArrayList<>();
    for (int index = 0; index < 5_000; index++) {
      String line = line(random);
      if (naive(line) != null && line.indexOf('{') == 0) {
        trees.add(MAPPER.readTree(line));
        content.append(line).append('\n');
      }
    }
    Path file = folder.resolve("in.json");
    Files.writeString(file, content);
    FileSchema schema = FileSchema.declared("id INT, ok BOOLEAN").withRescuedData();

    Reading reading =
        Reading.of(ReadFilesOptions.of(file.toString(), Map.of()), schema, false, Long.MAX_VALUE);

    for (int index = 0; index < trees.size(); index++) {
      Object rescuedText = reading.column("_rescued_data").get(index);
      JsonNode rescued =
          rescuedText == null ? MAPPER.createObjectNode() : MAPPER.readTree(rescuedText.toString());
      JsonNode tree = trees.get(index);
      int at = index;
      tree.fieldNames()
          .forEachRemaining(
              name -> {
                JsonNode value = tree.get(name);
                boolean inColumn =
                    (name.equals("id") && value.isInt())
                        || (name.equals("ok") && value.isBoolean());
                if (!inColumn && !value.isNull()) {
                  assertThat(rescued.get(name))
                      .as("%s of %s", name, trees.get(at))
                      .isEqualTo(value);
                } else {
                  assertThat(rescued.has(name)).isFalse();
                }
              });
    }
  }
}
