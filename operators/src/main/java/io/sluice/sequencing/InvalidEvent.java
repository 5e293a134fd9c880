package io.sluice.sequencing;

import java.io.Serializable;

/**
 * A record that cannot become an event.
 *
 * @param flow name of its flow
 * @param reason what is wrong with it, naming the column
 * @param position where it stands in its source, as a person would look it up
 * @param row the record as text, shortened
 * @param json the record as JSON: an object of its columns, or the text that could not be read
 */
public record InvalidEvent(String flow, String reason, String position, String row, String json)
    implements Serializable {

  @Override
  public String toString() {
    return reason + " at " + position + ": " + row;
  }
}
