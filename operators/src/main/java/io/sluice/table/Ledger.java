package io.sluice.table;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.SluiceException;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import org.apache.iceberg.Table;

/**
 * What Sluice must know to go on with a target, as it stands in the summary of the target's
 * snapshots: the positions of every flow, which ONCE flows ran, the floor, the snapshots of
 * companion and quarantine that belong to it. Every commit of ours carries all of it, so that a
 * rollback of the table rolls the ledger back, too. Immutable.
 */
public final class Ledger {

  /** Summary key of the pipeline's name. */
  public static final String PIPELINE = "sluice.pipeline";

  /** Summary key of the lineage: random, new at every full refresh. */
  public static final String LINEAGE = "sluice.lineage";

  /** Summary key of the {@link CommitId}; a snapshot with it carries a ledger. */
  public static final String COMMIT = "sluice.commit";

  /** Summary key of the floor (semantics 0.8). */
  public static final String FLOOR = "sluice.floor";

  /** Summary key of the companion's snapshot id. */
  public static final String COMPANION = "sluice.companion";

  /** Summary key of the quarantine table's snapshot id. */
  public static final String QUARANTINE = "sluice.quarantine";

  /** Most characters that the positions of all flows may take together. */
  public static final int MAX_POSITIONS_LENGTH = 16 * 1024;

  static final String FLOW_PREFIX = "sluice.flow.";
  static final String EXTRA_PREFIX = "sluice.extra.";

  private static final String POSITION = "position";
  private static final String ONCE = "once";
  private static final String VERSION = "version";

  private final SortedMap<String, String> entries;

  private Ledger(Map<String, String> entries) {
    this.entries = Collections.unmodifiableSortedMap(new TreeMap<>(entries));
  }

  /**
   * When and with which definition a ONCE flow ran.
   *
   * @param at the instant at which it was committed
   * @param digest digest of the flow's definition
   */
  public record OnceEntry(Instant at, String digest) {
    public OnceEntry {
      Objects.requireNonNull(at, "at");
      Objects.requireNonNull(digest, "digest");
    }
  }

  /**
   * A ledger with the snapshot it was found in.
   *
   * @param ledger the ledger
   * @param snapshotId the snapshot that carries it: an ancestor of the table's current snapshot
   */
  public record Found(Ledger ledger, long snapshotId) {}

  /** An empty ledger with a new lineage. */
  public static Ledger start(String pipeline) {
    return new Ledger(Map.of(PIPELINE, pipeline, LINEAGE, UUID.randomUUID().toString()));
  }

  /**
   * The newest ledger among the ancestors of the table's current snapshot; commits of others in
   * between do not matter. Empty where Sluice never committed to this state of the table. The table
   * is read as it is loaded; refresh it first.
   *
   * @throws io.sluice.errors.SluiceException LEDGER_CORRUPT if the snapshots that would carry it
   *     are expired and it cannot be told whether the copy in the table's properties still holds
   */
  public static Optional<Found> read(Table table) {
    return LedgerReader.read(table);
  }

  /** The ledger of a snapshot's summary, if it carries one. */
  static Optional<Ledger> fromSummary(Map<String, String> summary) {
    if (summary == null || !summary.containsKey(COMMIT)) {
      return Optional.empty();
    }
    Map<String, String> own = new TreeMap<>();
    summary.forEach(
        (key, value) -> {
          if (isLedgerKey(key)) {
            own.put(key, value);
          }
        });
    return Optional.of(new Ledger(own));
  }

  private static boolean isLedgerKey(String key) {
    return key.equals(PIPELINE)
        || key.equals(LINEAGE)
        || key.equals(COMMIT)
        || key.equals(FLOOR)
        || key.equals(COMPANION)
        || key.equals(QUARANTINE)
        || key.startsWith(FLOW_PREFIX)
        || key.startsWith(EXTRA_PREFIX);
  }

  /** The entries as a snapshot's summary holds them. */
  public Map<String, String> toSummary() {
    return entries;
  }

  public String pipeline() {
    return entries.get(PIPELINE);
  }

  public String lineage() {
    return entries.get(LINEAGE);
  }

  /** The commit that wrote this ledger; empty before its first commit. */
  public Optional<CommitId> commit() {
    return Optional.ofNullable(entries.get(COMMIT)).map(CommitId::new);
  }

  /** The floor as the hexadecimal form of a sequence, which orders like the sequences do. */
  public Optional<String> floor() {
    return Optional.ofNullable(entries.get(FLOOR));
  }

  public OptionalLong companion() {
    return longEntry(COMPANION);
  }

  public OptionalLong quarantine() {
    return longEntry(QUARANTINE);
  }

  /** The names of all flows that have any entry. */
  public Set<String> flows() {
    Set<String> flows = new java.util.TreeSet<>();
    for (String key : entries.keySet()) {
      if (key.startsWith(FLOW_PREFIX)) {
        flows.add(key.substring(FLOW_PREFIX.length(), key.lastIndexOf('.')));
      }
    }
    return Collections.unmodifiableSet(flows);
  }

  /** The position of a flow as JSON, opaque here. */
  public Optional<String> position(String flow) {
    return fact(flow, POSITION);
  }

  /** The last snapshot version that a flow applied. */
  public Optional<String> version(String flow) {
    return fact(flow, VERSION);
  }

  public Optional<OnceEntry> once(String flow) {
    return fact(flow, ONCE)
        .map(
            text -> {
              int space = text.indexOf(' ');
              try {
                return new OnceEntry(
                    Instant.parse(text.substring(0, space)), text.substring(space + 1));
              } catch (DateTimeParseException | StringIndexOutOfBoundsException e) {
                throw corrupt(factKey(flow, ONCE), text, e);
              }
            });
  }

  /** Any other fact about a flow. */
  public Optional<String> fact(String flow, String name) {
    return Optional.ofNullable(entries.get(factKey(flow, name)));
  }

  /** A fact about the whole target. */
  public Optional<String> extra(String name) {
    return Optional.ofNullable(entries.get(EXTRA_PREFIX + name));
  }

  /** A whole number about the whole target. */
  public OptionalLong extraNumber(String name) {
    return longEntry(EXTRA_PREFIX + name);
  }

  private OptionalLong longEntry(String key) {
    String text = entries.get(key);
    try {
      return text == null ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(text));
    } catch (NumberFormatException e) {
      throw corrupt(key, text, e);
    }
  }

  private static SluiceException corrupt(String key, String text, RuntimeException e) {
    return new SluiceException(
        ErrorCode.LEDGER_CORRUPT,
        "the ledger's entry " + key + " cannot be '" + text + "'",
        "Roll the table back to an earlier snapshot, or run it with --full-refresh",
        e);
  }

  private static String factKey(String flow, String name) {
    if (flow.isEmpty() || name.isEmpty() || name.indexOf('.') >= 0) {
      throw new IllegalArgumentException(
          "no ledger entry: flow '" + flow + "', fact '" + name + "'");
    }
    return FLOW_PREFIX + flow + "." + name;
  }

  public Builder toBuilder() {
    return new Builder(entries);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Ledger that && entries.equals(that.entries);
  }

  @Override
  public int hashCode() {
    return entries.hashCode();
  }

  @Override
  public String toString() {
    return "Ledger" + entries;
  }

  /** Changes a ledger entry by entry. */
  public static final class Builder {

    private final Map<String, String> entries;

    private Builder(Map<String, String> entries) {
      this.entries = new TreeMap<>(entries);
    }

    public Builder pipeline(String name) {
      return set(PIPELINE, name);
    }

    public Builder lineage(String lineage) {
      return set(LINEAGE, lineage);
    }

    public Builder commit(CommitId id) {
      return set(COMMIT, id.text());
    }

    /**
     * Raises the floor (semantics 0.8, 0.9); one that is not above the present one changes nothing.
     *
     * @param floor the hexadecimal form of a sequence
     */
    public Builder raiseFloor(String floor) {
      String present = entries.get(FLOOR);
      return present != null && present.compareTo(floor) >= 0 ? this : set(FLOOR, floor);
    }

    public Builder companion(long snapshotId) {
      return set(COMPANION, Long.toString(snapshotId));
    }

    public Builder quarantine(long snapshotId) {
      return set(QUARANTINE, Long.toString(snapshotId));
    }

    public Builder position(String flow, String json) {
      return fact(flow, POSITION, json);
    }

    public Builder version(String flow, String version) {
      return fact(flow, VERSION, version);
    }

    public Builder once(String flow, OnceEntry once) {
      return fact(flow, ONCE, once.at() + " " + once.digest());
    }

    /** Sets a fact about a flow; the name has no dot. */
    public Builder fact(String flow, String name, String value) {
      return set(factKey(flow, name), value);
    }

    public Builder extra(String name, String value) {
      return set(EXTRA_PREFIX + name, value);
    }

    /** Forgets all that is known about a flow. */
    public Builder removeFlow(String flow) {
      entries
          .keySet()
          .removeIf(
              key ->
                  key.startsWith(FLOW_PREFIX + flow + ".")
                      && key.lastIndexOf('.') == FLOW_PREFIX.length() + flow.length());
      return this;
    }

    private Builder set(String key, String value) {
      entries.put(key, Objects.requireNonNull(value, key));
      return this;
    }

    /**
     * The ledger.
     *
     * @throws IllegalArgumentException if the positions of all flows take more than {@value
     *     Ledger#MAX_POSITIONS_LENGTH} characters: larger sets belong into the companion
     */
    public Ledger build() {
      long length =
          entries.entrySet().stream()
              .filter(entry -> entry.getKey().startsWith(FLOW_PREFIX))
              .filter(entry -> entry.getKey().endsWith("." + POSITION))
              .mapToLong(entry -> entry.getValue().length())
              .sum();
      if (length > MAX_POSITIONS_LENGTH) {
        throw new IllegalArgumentException(
            "positions of " + length + " characters exceed the limit of " + MAX_POSITIONS_LENGTH);
      }
      return new Ledger(entries);
    }
  }
}
