package io.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.explain.KeyExplainer;
import io.sluice.explain.KeyExplanation;
import io.sluice.faults.ForeignRows;
import io.sluice.run.Workbench;
import java.nio.file.Path;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code sluice explain-key} on tables that updates have made. */
class ExplainKeyIT {

  private static final String PIPELINE =
      """
      CREATE STREAMING TABLE pets;
      CREATE FLOW pets_changes AS AUTO CDC INTO pets
      FROM STREAM read_files('${dir}/pets', format => 'json',
        schema => 'shelter STRING, pet INT, name STRING, mood STRING, op STRING, at TIMESTAMP')
      KEYS (shelter, pet) APPLY AS DELETE WHEN op = 'D' SEQUENCE BY at
      COLUMNS * EXCEPT (op, at) STORED AS SCD TYPE 2 TRACK HISTORY ON (name);

      CREATE STREAMING TABLE pets_now;
      CREATE FLOW pets_now_changes AS AUTO CDC INTO pets_now
      FROM STREAM read_files('${dir}/pets', format => 'json',
        schema => 'shelter STRING, pet INT, name STRING, mood STRING, op STRING, at TIMESTAMP')
      KEYS (shelter, pet) APPLY AS DELETE WHEN op = 'D' SEQUENCE BY at
      COLUMNS * EXCEPT (op, at) STORED AS SCD TYPE 1;

      CREATE STREAMING TABLE counts;
      CREATE FLOW counts_changes AS AUTO CDC INTO counts
      FROM STREAM read_files('${dir}/counts', format => 'json',
        schema => 'place STRUCT<land: STRING, no: INT>, value INT, seq INT')
      KEYS (place) SEQUENCE BY seq STORED AS SCD TYPE 1;

      CREATE STREAMING TABLE duties;
      CREATE FLOW duties_changes AS AUTO CDC INTO duties
      FROM STREAM read_files('${dir}/duties', format => 'json',
        schema => 'firm STRING, duty STRING, op STRING, holds INT, learned INT')
      KEYS (firm) APPLY AS DELETE WHEN op = 'D' SEQUENCE BY holds SYSTEM SEQUENCE BY learned
      COLUMNS (firm, duty) STORED AS BITEMPORAL;

      CREATE STREAMING TABLE leases;
      CREATE FLOW leases_changes AS AUTO CDC INTO leases
      FROM STREAM read_files('${dir}/leases', format => 'json',
        schema => 'flat INT, tenant STRING, rent INT, holds INT, learned INT')
      KEYS (flat) IGNORE NULL UPDATES SEQUENCE BY holds SYSTEM SEQUENCE BY learned
      COLUMNS (flat, tenant, rent) STORED AS BITEMPORAL;

      CREATE STREAMING TABLE lines AS SELECT * FROM read_files('${dir}/counts', format => 'json',
        schema => 'value INT');
      """;

  @TempDir private static Path folder;

  private static Workbench bench;

  @BeforeAll
  static void two_updates() {
    bench = new Workbench(folder);
    List<String> first = new ArrayList<>();
    IntStream.range(100, 400)
        .forEach(pet -> first.add(pet("far", pet, "x" + pet, "calm", "U", pet % 28 + 1)));
    first.add(pet("north", 1, "Rex", "calm", "U", 3));
    first.add(pet("north", 1, "Rex", "wild", "U", 5));
    first.add(pet("north", 1, "Rex", "calm", "U", 7));
    first.add(pet("north", 1, null, null, "D", 9));
    first.add(pet("north", 1, "Max", "calm", "U", 12));
    bench.write("pets/1.json", first.toArray(String[]::new));
    bench.write(
        "counts/1.json",
        "{\"place\":{\"land\":\"NL\",\"no\":4},\"value\":1,\"seq\":1}",
        "{\"place\":{\"land\":\"BE\",\"no\":4},\"value\":2,\"seq\":1}");
    bench.write(
        "duties/1.json",
        "{\"firm\":\"Acme\",\"duty\":\"full\",\"holds\":1,\"learned\":10}",
        "{\"firm\":\"Acme\",\"duty\":\"light\",\"holds\":1,\"learned\":20}",
        "{\"firm\":\"Acme\",\"duty\":\"waived\",\"holds\":5,\"learned\":15}",
        "{\"firm\":\"Acme\",\"op\":\"D\",\"holds\":9,\"learned\":30}");
    bench.write(
        "leases/1.json",
        "{\"flat\":7,\"tenant\":\"Ada\",\"rent\":800,\"holds\":1,\"learned\":10}",
        "{\"flat\":7,\"rent\":850,\"holds\":6,\"learned\":20}",
        "{\"flat\":7,\"tenant\":\"Bo\",\"holds\":4,\"learned\":30}",
        "{\"flat\":7,\"rent\":850,\"holds\":8,\"learned\":40}");
    assertThat(bench.update(PIPELINE).failures()).isEmpty();
    bench.write(
        "pets/2.json",
        pet("north", 1, null, null, "D", 2),
        pet("north", 1, "Moritz", "calm", "U", 12));
    assertThat(bench.update(PIPELINE).failures()).isEmpty();
  }

  @AfterAll
  static void close() {
    bench.close();
  }

  @Test
  void a_bitemporal_key_is_explained_on_both_axes_and_drawn() throws Exception {
    Path picture = folder.resolve("acme.svg");
    JsonNode key =
        json(
            "explain-key",
            "duties",
            "firm=Acme",
            "--picture",
            picture.toString(),
            "--output",
            "json");
    assertThat(key.has("problem")).as(key.toString()).isFalse();
    assertThat(key.get("rows")).hasSize(5);
    List<String> events = new ArrayList<>();
    key.get("events")
        .forEach(
            event ->
                events.add(
                    event.get("sequence").asInt()
                        + " "
                        + event.get("systemSequence").asInt()
                        + " "
                        + event.get("kind").asText()
                        + " "
                        + event.get("fate").asText()));
    assertThat(events)
        .containsExactly(
            "1 10 upsert visible row",
            "1 20 upsert visible row",
            "5 15 upsert visible row",
            "9 30 delete row end");
    assertThat(picture).content().startsWith("<svg").contains("duty=light", "superseded");
  }

  @Test
  void a_partial_event_is_shown_with_what_it_writes_in_the_belief_that_it_makes() throws Exception {
    JsonNode key = json("explain-key", "leases", "flat=7", "--output", "json");
    assertThat(key.has("problem")).as(key.toString()).isFalse();
    assertThat(key.get("rows")).hasSize(6);
    assertThat(key.get("events"))
        .extracting(
            event ->
                event.get("sequence").asInt()
                    + " "
                    + event.get("systemSequence").asInt()
                    + " "
                    + event.get("fate").asText()
                    + " "
                    + event.get("keptIn").asText()
                    + " "
                    + event.get("values"))
        .containsExactly(
            "1 10 visible row rows {\"tenant\":\"Ada\",\"rent\":800}",
            "4 30 visible row companion {\"tenant\":\"Bo\"}",
            "6 20 visible row companion {\"rent\":850}",
            "8 40 absorbed companion {\"rent\":850}");
  }

  private static String pet(String shelter, int pet, String name, String mood, String op, int day) {
    return "{\"shelter\":\"%s\",\"pet\":%d,\"name\":%s,\"mood\":%s,\"op\":\"%s\",\"at\":\"2026-03-%02dT00:00:00Z\"}"
        .formatted(shelter, pet, quoted(name), quoted(mood), op, day);
  }

  private static String quoted(String text) {
    return text == null ? "null" : '"' + text + '"';
  }

  private static Outcome call(String... arguments) {
    return Outcome.of(folder, arguments);
  }

  private static JsonNode json(String... arguments) throws Exception {
    Outcome outcome = call(arguments);
    assertThat(outcome.code()).as(outcome.err()).isZero();
    return new ObjectMapper().readTree(outcome.out());
  }

  @Test
  void every_remembered_event_of_a_history_has_its_fate() throws Exception {
    JsonNode key = json("explain-key", "pets", "shelter=north", "PET=1", "--output", "json");

    assertThat(key.get("table").asText()).isEqualTo("default.pets");
    assertThat(key.get("storage").asText()).isEqualTo("SCD type 2");
    assertThat(key.get("key").toString()).isEqualTo("{\"shelter\":\"north\",\"pet\":1}");
    assertThat(key.get("problem")).isNull();
    assertThat(key.get("rows"))
        .extracting(
            row ->
                row.at("/columns/name").asText()
                    + " "
                    + row.at("/columns/mood").asText()
                    + " "
                    + row.at("/columns/__START_AT").asText()
                    + " "
                    + row.at("/columns/__END_AT").asText())
        .containsExactly(
            "Rex calm 2026-03-03T00:00:00Z 2026-03-09T00:00:00Z",
            "Moritz calm 2026-03-12T00:00:00Z null");
    assertThat(key.get("rows")).allSatisfy(row -> assertThat(row.get("writtenAt")).isNotNull());
    assertThat(key.get("events"))
        .extracting(
            event ->
                event.get("sequence").asText().substring(8, 10)
                    + " "
                    + event.get("kind").asText()
                    + " "
                    + event.get("fate").asText()
                    + " "
                    + event.get("givesValues").asText()
                    + " "
                    + event.get("keptIn").asText()
                    + " "
                    + event.at("/values/mood").asText())
        .containsExactly(
            "02 delete tombstone false companion ",
            "03 upsert visible row false rows calm",
            "05 upsert absorbed false companion wild",
            "07 upsert absorbed true companion calm",
            "09 delete row end false rows ",
            "12 upsert visible row true companion calm");
    JsonNode winner = key.get("events").get(5);
    assertThat(winner.get("wonTie").asBoolean()).isTrue();
    assertThat(winner.get("flow").asText()).isEqualTo("pets_changes");
    assertThat(winner.get("source").asText()).endsWith("pets/2.json");
    assertThat(winner.get("offset").asLong()).isPositive();
    assertThat(winner.get("update").asLong()).isEqualTo(2);
    assertThat(winner.at("/values/name").asText()).isEqualTo("Moritz");
    assertThat(winner.get("row").asText()).isEqualTo("2026-03-12T00:00:00Z");
  }

  @Test
  void text_names_rows_fates_and_what_is_not_known() {
    Outcome outcome = call("explain-key", "default.pets", "shelter=north", "pet=1");

    assertThat(outcome.code()).isZero();
    assertThat(outcome.out())
        .contains("key shelter=north, pet=1 of default.pets, SCD type 2, as of snapshot ")
        .contains("absorbed by the row from 2026-03-03T00:00:00Z, gives its values")
        .contains("ends the row from 2026-03-03T00:00:00Z")
        .contains("visible row, won a tie")
        .contains("tombstone");
    assertThat(outcome.err()).isEmpty();
  }

  @Test
  void a_key_of_the_current_table_has_the_winner_only() throws Exception {
    JsonNode now = json("explain-key", "pets_now", "pet=1", "shelter=north", "--output", "json");

    assertThat(now.get("storage").asText()).isEqualTo("SCD type 1");
    assertThat(now.get("rows")).hasSize(1);
    assertThat(now.get("events")).hasSize(1);
    assertThat(now.at("/events/0/values/name").asText()).isEqualTo("Moritz");
    assertThat(now.at("/events/0/row").isMissingNode()).isTrue();
  }

  @Test
  void files_without_the_key_are_not_read() throws Exception {
    JsonNode key = json("explain-key", "pets", "shelter=zzz", "pet=1", "--output", "json");

    assertThat(key.get("rows")).isEmpty();
    assertThat(key.get("events")).isEmpty();
    assertThat(key.at("/read/parts").asLong()).isZero();
    assertThat(key.at("/read/skippedParts").asLong()).isPositive();
    assertThat(key.at("/read/bytes").asLong()).isZero();
    assertThat(call("explain-key", "pets", "shelter=zzz", "pet=1").out())
        .contains("no visible row", "no event is remembered");
  }

  @Test
  void a_struct_is_given_field_by_field() throws Exception {
    JsonNode key = json("explain-key", "counts", "place.land=BE", "place.no=4", "--output", "json");

    assertThat(key.at("/rows/0/columns/value").asInt()).isEqualTo(2);
    assertThat(key.at("/key/place/land").asText()).isEqualTo("BE");
  }

  @Test
  void calls_that_do_not_fit_the_table_say_what_would() {
    assertThat(call("explain-key", "pet", "shelter=north", "pet=1").err())
        .contains("TABLE_OR_VIEW_NOT_FOUND", "Did you mean 'pets'?");
    assertThat(call("explain-key", "pets", "shelter=north").err())
        .contains("the key column 'pet' of default.pets has no value");
    assertThat(call("explain-key", "pets", "shelter=north", "pat=1", "pet=1").err())
        .contains("'pat' is no key column", "Did you mean 'pet'?");
    assertThat(call("explain-key", "pets", "shelter=north", "pet=one").err())
        .contains("'one' is no INT");
    assertThat(call("explain-key", "lines", "value=1").err()).contains("is not kept by AUTO CDC");
    assertThat(call("explain-key", "pets").err()).contains("column=value");
    for (String[] wrong :
        List.of(
            new String[] {"explain-key", "pet", "shelter=north", "pet=1"},
            new String[] {"explain-key", "lines", "value=1"},
            new String[] {"explain-key", "pets"})) {
      assertThat(call(wrong).code()).isEqualTo(2);
    }
  }

  @Test
  void rows_that_somebody_else_wrote_are_told(@TempDir Path other) throws Exception {
    try (Workbench own = new Workbench(other)) {
      own.write("pets/1.json", pet("a", 1, "Rex", "calm", "U", 3), pet("a", 1, "Rex", "x", "U", 4));
      own.write("counts/1.json");
      String sql = PIPELINE.substring(0, PIPELINE.indexOf("CREATE STREAMING TABLE pets_now"));
      own.update(sql);
      ForeignRows.delete(own.table("pets"), record -> true);
      ForeignRows.append(
          own.table("pets"),
          Map.of(
              "shelter",
              "a",
              "pet",
              1,
              "name",
              "Ghost",
              "__START_AT",
              OffsetDateTime.parse("2026-03-04T00:00:00Z")));
      KeyExplanation explanation =
          KeyExplainer.explain(
              own.connection(), List.of("pets"), Map.of("shelter", "a", "pet", "1"));
      assertThat(explanation.problem())
          .hasValueSatisfying(problem -> assertThat(problem).contains("somebody else changed"));
      assertThat(explanation.events())
          .extracting(event -> event.fate().name())
          .containsExactlyInAnyOrder("OVERRULED", "VISIBLE_ROW", "TIE_LOST");
    }
  }
}
