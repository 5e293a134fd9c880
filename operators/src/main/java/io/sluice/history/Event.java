package io.sluice.history;

import java.util.Objects;

/**
 * One change of one key.
 *
 * @param sequence its position in the key's history
 * @param kind what it does
 * @param values the columns of an upsert; null for a delete
 * @param origin where it came from; {@link Origin#UNKNOWN} once it is in a log, unless it won a tie
 * @param <V> the columns outside the key, compared only by {@link Values}
 */
public record Event<V>(Sequence sequence, Kind kind, V values, Origin origin) {

  public Event {
    Objects.requireNonNull(sequence, "sequence");
    Objects.requireNonNull(origin, "origin");
    if ((kind == Kind.UPSERT) != (values != null)) {
      throw new IllegalArgumentException("an upsert has values, a delete has none: " + kind);
    }
  }

  public static <V> Event<V> upsert(Sequence sequence, V values, Origin origin) {
    return new Event<>(sequence, Kind.UPSERT, values, origin);
  }

  public static <V> Event<V> delete(Sequence sequence, Origin origin) {
    return new Event<>(sequence, Kind.DELETE, null, origin);
  }

  public boolean isUpsert() {
    return kind == Kind.UPSERT;
  }

  Event<V> withoutOrigin() {
    return origin.isKnown() ? new Event<>(sequence, kind, values, Origin.UNKNOWN) : this;
  }
}
