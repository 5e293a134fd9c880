package io.sluice.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Random;
import org.apache.flink.table.data.TimestampData;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TimestampTextTest {

  private static Instant utc(String text) {
    TimestampData parsed = TimestampText.parse(text, TimestampText.Zone.UTC, 6);
    return parsed == null ? null : parsed.toInstant();
  }

  @ParameterizedTest
  @CsvSource({
    "2025-03-01T12:34:56Z, 2025-03-01T12:34:56Z",
    "2025-03-01 12:34:56, 2025-03-01T12:34:56Z",
    "2025-03-01T12:34:56.1Z, 2025-03-01T12:34:56.100Z",
    "2025-03-01T12:34:56.123456789Z, 2025-03-01T12:34:56.123456Z",
    "2025-03-01T12:34:56+01:00, 2025-03-01T11:34:56Z",
    "2025-03-01T00:10:00+0130, 2025-02-28T22:40:00Z",
    "2025-03-01T12:34:56-08, 2025-03-01T20:34:56Z",
    "2025-03-01T12:34, 2025-03-01T12:34:00Z",
    "2025-03-01T12:34Z, 2025-03-01T12:34:00Z",
    "2024-02-29, 2024-02-29T00:00:00Z",
    "0001-01-01T00:00:00Z, 0001-01-01T00:00:00Z",
    "1969-12-31T23:59:59.999999Z, 1969-12-31T23:59:59.999999Z",
    "2025-03-01T12:34:56+01:00:30, 2025-03-01T11:34:26Z",
    "+12025-03-01T12:34:56Z, +12025-03-01T12:34:56Z",
  })
  void isoTextsAreInstants(String text, Instant expected) {
    assertThat(utc(text)).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "2025",
        "2025-13-01",
        "2025-02-29",
        "2025-00-01",
        "2025-01-32T00:00:00Z",
        "2025-01-01T24:00:00",
        "2025-01-01T12:60:00",
        "2025-01-01T12:00:60",
        "2025-01-01T12",
        "2025-01-01T12:00:00.",
        "2025-01-01T12:00:00.1234567890",
        "2025-01-01T12:00:00Zx",
        "2025-01-01T12:00:00+25:00",
        "2025-01-01T12:00:00 Europe/Berlin",
        "20250101T120000Z",
        "1735689600",
        "01/02/2025 10:00:00",
        "hello world, hello"
      })
  void otherTextsAreNone(String text) {
    assertThat(utc(text)).isNull();
  }

  @Test
  void aLocalTimeTakesNoOffset() {
    assertThat(TimestampText.parse("2025-01-01T12:00:00Z", TimestampText.Zone.NONE, 6)).isNull();
    assertThat(TimestampText.parse("2025-01-01T12:00:00", TimestampText.Zone.NONE, 6))
        .isEqualTo(TimestampData.fromLocalDateTime(LocalDateTime.of(2025, 1, 1, 12, 0)));
  }

  @Test
  void theWantedPrecisionCutsTheFraction() {
    String text = "1960-01-01T00:00:00.987654321Z";

    for (int precision = 0; precision <= 9; precision++) {
      TimestampData parsed = TimestampText.parse(text, TimestampText.Zone.UTC, precision);
      String kept = "0.987654321".substring(0, precision == 0 ? 1 : 2 + precision);
      assertThat(parsed.toInstant().getNano())
          .isEqualTo((int) Math.round(Double.parseDouble(kept) * 1e9));
    }
  }

  @Test
  void everyDayOfTheProlepticCalendarIsTheOneOfJavaTime() {
    LocalDate day = LocalDate.of(0, 1, 1);
    while (day.getYear() <= 9999) {
      char[] text = day.toString().toCharArray();
      assertThat(TimestampText.date(text, 0, text.length)).isEqualTo(day.toEpochDay());
      day = day.plusDays(1 + day.getDayOfMonth() % 3);
    }
  }

  @Test
  void randomInstantsAreThoseOfJavaTime() {
    long seed = 20_250_301L;
    Random random = new Random(seed);
    for (int round = 0; round < 20_000; round++) {
      ZoneOffset offset = ZoneOffset.ofTotalSeconds((random.nextInt(73) - 36) * 30 * 60);
      OffsetDateTime time =
          OffsetDateTime.ofInstant(
              Instant.ofEpochSecond(
                  random.nextLong(-60_000_000_000L, 250_000_000_000L),
                  random.nextInt(1_000_000) * 1000L),
              offset);

      assertThat(utc(time.toString())).as("seed %d: %s", seed, time).isEqualTo(time.toInstant());
    }
  }
}
