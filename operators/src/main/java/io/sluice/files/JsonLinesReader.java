package io.sluice.files;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.apache.flink.table.data.GenericRowData;

/** One JSON object per line; blank lines are no records. */
final class JsonLinesReader implements FormatReader {

  static final JsonFactory JSON =
      new JsonFactoryBuilder()
          .enable(StreamReadFeature.USE_FAST_DOUBLE_PARSER)
          .enable(StreamReadFeature.USE_FAST_BIG_NUMBER_PARSER)
          .build();

  private final JsonRowReader rowReader;

  JsonLinesReader(RowAssembler rows) {
    this.rowReader = new JsonRowReader(rows.columns());
  }

  @Override
  public long read(FileSplit split, RowAssembler rows) throws IOException {
    long bytes = 0;
    try (LineReader lines = TextFiles.lines(split)) {
      while (lines.next()) {
        bytes += lines.length() + 1;
        if (lines.isTooLong()) {
          String why = "a line of more than " + LineReader.MAX_LINE_BYTES + " bytes";
          rows.malformed(why, text(lines), lines.offset());
        } else if (!lines.isBlank()) {
          readLine(lines, rows);
        }
      }
    }
    return bytes;
  }

  private void readLine(LineReader lines, RowAssembler rows) throws IOException {
    GenericRowData row = rows.startRecord();
    try (JsonParser parser = JSON.createParser(lines.buffer(), lines.from(), lines.length())) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        rows.faults().fail("the line is no JSON object (one object per line is expected)");
      } else {
        rowReader.read(parser, rows.faults(), row);
        if (parser.nextToken() != null) {
          rows.faults().fail("there is text behind the JSON object");
        }
      }
    } catch (JsonProcessingException e) {
      rows.malformed("no valid JSON: " + reason(e), text(lines), lines.offset());
      return;
    }
    rows.finish(row, lines.offset(), () -> text(lines));
  }

  /** The parser's words without its note on where an open object began, which is of no use here. */
  static String reason(JsonProcessingException e) {
    String text = e.getOriginalMessage();
    int note = text.indexOf(" (start marker at ");
    return note < 0 ? text : text.substring(0, note);
  }

  private static String text(LineReader lines) {
    // One character more than fits, so that the cut is made in one place.
    int length = Math.min(lines.length(), 4 * FileRowReader.MAX_RAW_CHARACTERS + 4);
    return new String(lines.buffer(), lines.from(), length, StandardCharsets.UTF_8);
  }
}
