package io.sluice.history;

import java.util.Objects;

/**
 * One change of one key.
 *
 * @param sequence its position in the key's history, its business time in a bitemporal one
 * @param systemSequence when the source learned of it (semantics 10.1); {@link Sequence#LOWEST} for
 *     a storage type without a system axis
 * @param kind what it does
 * @param values the columns of an upsert; null for a delete
 * @param origin where it came from; {@link Origin#UNKNOWN} once it is in a log, unless it won a tie
 * @param <V> the columns outside the key, compared only by {@link Values}
 */
public record Event<V>(
    Sequence sequence, Sequence systemSequence, Kind kind, V values, Origin origin) {

  public Event {
    Objects.requireNonNull(sequence, "sequence");
    Objects.requireNonNull(systemSequence, "systemSequence");
    Objects.requireNonNull(origin, "origin");
    if ((kind == Kind.UPSERT) != (values != null)) {
      throw new IllegalArgumentException("an upsert has values, a delete has none: " + kind);
    }
  }

  /** An event without a system sequence. */
  public Event(Sequence sequence, Kind kind, V values, Origin origin) {
    this(sequence, Sequence.LOWEST, kind, values, origin);
  }

  public static <V> Event<V> upsert(Sequence sequence, V values, Origin origin) {
    return new Event<>(sequence, Kind.UPSERT, values, origin);
  }

  public static <V> Event<V> delete(Sequence sequence, Origin origin) {
    return new Event<>(sequence, Kind.DELETE, null, origin);
  }

  /** The same change, learned of at a system sequence. */
  public Event<V> learnedAt(Sequence system) {
    return new Event<>(sequence, system, kind, values, origin);
  }

  /** The same upsert with other columns. */
  Event<V> with(V columns) {
    return new Event<>(sequence, systemSequence, kind, columns, origin);
  }

  public boolean isUpsert() {
    return kind == Kind.UPSERT;
  }

  Event<V> withoutOrigin() {
    return origin.equals(Origin.UNKNOWN) ? this : from(Origin.UNKNOWN);
  }

  Event<V> from(Origin other) {
    return new Event<>(sequence, systemSequence, kind, values, other);
  }
}
