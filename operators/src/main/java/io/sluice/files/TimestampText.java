package io.sluice.files;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.DateTimeParseException;
import java.time.format.ResolverStyle;
import java.time.temporal.ChronoField;
import java.time.temporal.TemporalAccessor;
import org.apache.flink.table.data.TimestampData;

/**
 * ISO-8601 instants and dates: {@code yyyy-MM-dd[(T| )HH:mm[:ss[.fraction up to 9
 * digits]][Z|±HH[:mm]]]}. A date alone is its midnight. Digits of the fraction beyond the wanted
 * precision are cut off.
 */
final class TimestampText {

  /** How an offset in the text is read. */
  enum Zone {
    /** The text is an instant; without an offset it is UTC. */
    UTC,
    /** The text is a local time; an offset is an error. */
    NONE
  }

  private static final long SECONDS_PER_DAY = 86_400;
  private static final int[] POWERS_OF_TEN = {
    1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000
  };

  /** Years of more than four digits and other rare forms; the usual ones never get here. */
  private static final DateTimeFormatter RARE =
      new DateTimeFormatterBuilder()
          .parseCaseInsensitive()
          .append(DateTimeFormatter.ISO_LOCAL_DATE)
          .appendLiteral('T')
          .append(DateTimeFormatter.ISO_LOCAL_TIME)
          .optionalStart()
          .appendOffset("+HH:mm:ss", "Z")
          .optionalEnd()
          .toFormatter()
          .withResolverStyle(ResolverStyle.STRICT);

  private TimestampText() {}

  /** As {@link #parse(char[], int, int, Zone, int)}. */
  static TimestampData parse(String text, Zone zone, int precision) {
    return parse(text.toCharArray(), 0, text.length(), zone, precision);
  }

  /**
   * Reads a timestamp.
   *
   * @param precision digits of the fraction that are kept, 0 to 9
   * @return null where the text is no timestamp
   */
  static TimestampData parse(char[] text, int from, int length, Zone zone, int precision) {
    if (length < 10) {
      return null;
    }
    long day = epochDay(text, from, length);
    if (day == NO_DATE) {
      return rare(text, from, length, zone, precision);
    }
    if (length == 10) {
      return of(day * SECONDS_PER_DAY, 0, precision);
    }
    char separator = text[from + 10];
    if ((separator != 'T' && separator != ' ' && separator != 't') || length < 16) {
      return null;
    }
    int hour = twoDigits(text, from + 11);
    int minute = twoDigits(text, from + 14);
    if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || text[from + 13] != ':') {
      return null;
    }
    int at = from + 16;
    int end = from + length;
    int second = 0;
    int nanos = 0;
    if (at < end && text[at] == ':') {
      second = at + 3 <= end ? twoDigits(text, at + 1) : -1;
      if (second < 0 || second > 59) {
        return null;
      }
      at += 3;
      if (at < end && (text[at] == '.' || text[at] == ',')) {
        int digits = 0;
        for (at++; at < end && text[at] >= '0' && text[at] <= '9'; at++) {
          if (++digits > 9) {
            return null;
          }
          nanos = nanos * 10 + (text[at] - '0');
        }
        if (digits == 0) {
          return null;
        }
        nanos *= POWERS_OF_TEN[9 - digits];
      }
    }
    long offsetSeconds = 0;
    if (at < end) {
      if (zone == Zone.NONE) {
        return null;
      }
      offsetSeconds = offsetSeconds(text, at, end);
      if (offsetSeconds == NO_OFFSET) {
        return rare(text, from, length, zone, precision);
      }
    }
    long seconds = day * SECONDS_PER_DAY + hour * 3600L + minute * 60L + second - offsetSeconds;
    return of(seconds, nanos, precision);
  }

  private static TimestampData of(long epochSeconds, int nanos, int precision) {
    int unit = POWERS_OF_TEN[9 - precision];
    int kept = nanos - nanos % unit;
    return TimestampData.fromEpochMillis(epochSeconds * 1000 + kept / 1_000_000, kept % 1_000_000);
  }

  /**
   * Days since 1970-01-01 of a text that is a date and nothing else; {@link #NO_DATE} otherwise.
   */
  static long date(char[] text, int from, int length) {
    if (length == 10) {
      return epochDay(text, from, length);
    }
    try {
      return LocalDate.parse(new String(text, from, length)).toEpochDay();
    } catch (DateTimeParseException e) {
      return NO_DATE;
    }
  }

  /** The answer for a text without a date; no real day. */
  static final long NO_DATE = Long.MIN_VALUE;

  private static final long NO_OFFSET = Long.MIN_VALUE;

  private static long epochDay(char[] text, int from, int length) {
    if (length < 10 || text[from + 4] != '-' || text[from + 7] != '-') {
      return NO_DATE;
    }
    int century = twoDigits(text, from);
    int yearOfCentury = twoDigits(text, from + 2);
    int month = twoDigits(text, from + 5);
    int day = twoDigits(text, from + 8);
    if (century < 0 || yearOfCentury < 0 || month < 1 || month > 12 || day < 1) {
      return NO_DATE;
    }
    int year = century * 100 + yearOfCentury;
    if (day > 28 && day > java.time.YearMonth.of(year, month).lengthOfMonth()) {
      return NO_DATE;
    }
    // Days from a civil date, with years that begin in March so that the leap day comes last.
    long shifted = month <= 2 ? year - 1L : year;
    long era = Math.floorDiv(shifted, 400L);
    long yearOfEra = shifted - era * 400;
    long dayOfYear = (153L * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
    long dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear;
    return era * 146_097 + dayOfEra - 719_468;
  }

  private static long offsetSeconds(char[] text, int at, int end) {
    char sign = text[at];
    int length = end - at;
    if (sign == 'Z' || sign == 'z') {
      return length == 1 ? 0 : NO_OFFSET;
    }
    if ((sign != '+' && sign != '-') || (length != 3 && length != 5 && length != 6)) {
      return NO_OFFSET;
    }
    int hours = twoDigits(text, at + 1);
    int minutes = length == 3 ? 0 : twoDigits(text, end - 2);
    boolean colon = length != 6 || text[at + 3] == ':';
    if (hours < 0 || hours > 18 || minutes < 0 || minutes > 59 || !colon) {
      return NO_OFFSET;
    }
    long seconds = hours * 3600L + minutes * 60L;
    return sign == '-' ? -seconds : seconds;
  }

  private static int twoDigits(char[] text, int at) {
    int tens = text[at] - '0';
    int ones = text[at + 1] - '0';
    return tens < 0 || tens > 9 || ones < 0 || ones > 9 ? -1 : tens * 10 + ones;
  }

  private static TimestampData rare(char[] text, int from, int length, Zone zone, int precision) {
    char first = text[from];
    if (first != '+' && first != '-' && (first < '0' || first > '9')) {
      return null;
    }
    try {
      TemporalAccessor parsed = RARE.parse(new String(text, from, length).replace(' ', 'T'));
      boolean offset = parsed.isSupported(ChronoField.OFFSET_SECONDS);
      if (offset && zone == Zone.NONE) {
        return null;
      }
      OffsetDateTime time =
          offset
              ? OffsetDateTime.from(parsed)
              : LocalDateTime.from(parsed).atOffset(ZoneOffset.UTC);
      return of(time.toEpochSecond(), time.getNano(), precision);
    } catch (DateTimeException e) {
      return null;
    }
  }
}
