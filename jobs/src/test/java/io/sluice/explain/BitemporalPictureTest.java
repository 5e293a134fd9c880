package io.sluice.explain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.errors.SluiceException;
import io.sluice.explain.KeyExplanation.KeyRow;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

class BitemporalPictureTest {

  private static Instant time(String clock) {
    return clock == null ? null : Instant.parse("2026-06-01T" + clock + ":00Z");
  }

  private static KeyRow row(String value, String start, String end, String from, String until) {
    Map<String, Object> columns = new LinkedHashMap<>();
    columns.put("ship", 7);
    columns.put("berth", value);
    columns.put("__START_AT", time(start));
    columns.put("__END_AT", time(end));
    columns.put("__SYSTEM_START_AT", time(from));
    columns.put("__SYSTEM_END_AT", time(until));
    return new KeyRow(columns, "file", 0, Optional.empty(), Optional.empty());
  }

  private static KeyExplanation key(String storage, List<KeyRow> rows) {
    return new KeyExplanation(
        "default.berths",
        storage,
        Map.of("ship", 7),
        42,
        Instant.EPOCH,
        rows,
        List.of(),
        Optional.empty(),
        new KeyExplanation.Reading(0, 0, 0));
  }

  private static final List<KeyRow> ROWS =
      List.of(
          row("A1", "08:00", null, "08:05", "10:20"),
          row("A1", "08:00", "10:15", "10:20", "10:25"),
          row("A1", "08:00", "10:05", "10:25", null),
          row("<C & D>", "10:05", "10:15", "10:25", null),
          row("B2", "10:15", null, "10:20", "10:30"),
          row("B2", "10:15", "10:30", "10:30", null));

  private static List<Element> elements(String svg, String tag) throws Exception {
    DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
    Document document = factory.newDocumentBuilder().parse(new InputSource(new StringReader(svg)));
    NodeList nodes = document.getElementsByTagName(tag);
    List<Element> elements = new ArrayList<>();
    for (int i = 0; i < nodes.getLength(); i++) {
      elements.add((Element) nodes.item(i));
    }
    return elements;
  }

  private static int number(Element element, String attribute) {
    return Integer.parseInt(element.getAttribute(attribute));
  }

  @Test
  void every_row_is_a_labelled_rectangle_and_none_covers_another() throws Exception {
    String svg = BitemporalPicture.of(key("bitemporal", ROWS));
    Files.writeString(Path.of("target", "bitemporal-key.svg"), svg);
    List<Element> rectangles = elements(svg, "rect");
    rectangles.remove(0); // the background
    assertThat(rectangles).hasSize(ROWS.size());
    for (int i = 0; i < ROWS.size(); i++) {
      Element rectangle = rectangles.get(i);
      KeyRow row = ROWS.get(i);
      assertThat(rectangle.getTextContent())
          .contains("berth=" + row.columns().get("berth"), "__SYSTEM_START_AT=");
      boolean believed = row.columns().get("__SYSTEM_END_AT") == null;
      assertThat(rectangle.getAttribute("stroke-dasharray").isEmpty()).isEqualTo(believed);
      for (Element other : rectangles.subList(i + 1, rectangles.size())) {
        boolean apart =
            number(rectangle, "x") + number(rectangle, "width") <= number(other, "x")
                || number(other, "x") + number(other, "width") <= number(rectangle, "x")
                || number(rectangle, "y") + number(rectangle, "height") <= number(other, "y")
                || number(other, "y") + number(other, "height") <= number(rectangle, "y");
        assertThat(apart).as("row %d", i).isTrue();
      }
    }
  }

  @Test
  void business_time_runs_right_and_system_time_up_and_open_ends_reach_the_frame()
      throws Exception {
    List<Element> rectangles = elements(BitemporalPicture.of(key("bitemporal", ROWS)), "rect");
    Element frame = rectangles.get(0);
    Element first = rectangles.get(1);
    Element split = rectangles.get(2);
    Element later = rectangles.get(5);
    assertThat(number(split, "y")).isLessThan(number(first, "y"));
    assertThat(number(later, "x")).isGreaterThan(number(split, "x"));
    assertThat(number(first, "width")).isGreaterThan(number(split, "width"));
    assertThat(number(first, "x") + number(first, "width"))
        .isGreaterThan(number(frame, "width") - 50);
    List<String> texts =
        elements(BitemporalPicture.of(key("bitemporal", ROWS)), "text").stream()
            .map(Element::getTextContent)
            .toList();
    assertThat(texts)
        .contains("key ship=7 of default.berths", "2026-06-01T10:05:00Z", "berth=<C & D>")
        .contains("believed now", "superseded");
  }

  @Test
  void a_key_without_rows_is_an_empty_frame() throws Exception {
    String svg = BitemporalPicture.of(key("bitemporal", List.of()));
    assertThat(elements(svg, "rect")).hasSize(1);
    assertThat(svg).contains("no row");
  }

  @Test
  void a_table_with_one_axis_of_time_has_no_picture() {
    assertThatThrownBy(() -> BitemporalPicture.of(key("SCD type 2", ROWS)))
        .isInstanceOf(SluiceException.class)
        .hasMessageContaining("is not bitemporal");
  }
}
