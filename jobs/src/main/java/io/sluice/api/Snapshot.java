package io.sluice.api;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.SluiceException;
import java.util.Objects;

/**
 * A whole state of a source at a version (semantics 11).
 *
 * @param rows all rows; a key that is not among them is deleted at the version
 * @param version an Integer, Long, String, LocalDate, LocalDateTime or Instant, greater than the
 *     version of every earlier snapshot
 * @param <V> class of the version
 */
public record Snapshot<V>(Source rows, V version) {

  /**
   * A snapshot.
   *
   * @throws SluiceException NULL_SNAPSHOT_VERSION if it has no version
   */
  public Snapshot {
    Objects.requireNonNull(rows, "rows");
    if (version == null) {
      throw new SluiceException(
          ErrorCode.NULL_SNAPSHOT_VERSION,
          "a snapshot has no version",
          "Give every snapshot a version that is greater than all before");
    }
  }

  /** A snapshot. */
  public static <V> Snapshot<V> of(Source rows, V version) {
    return new Snapshot<>(rows, version);
  }
}
