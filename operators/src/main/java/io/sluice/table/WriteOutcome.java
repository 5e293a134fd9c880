package io.sluice.table;

import java.io.Serializable;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.DataFile;

/**
 * What a writer hands to the committer: finished data files and, per data file of the table (or of
 * the same commit), the positions of the rows to delete. A writer may hand over several; a commit
 * takes the union of all.
 *
 * @param dataFiles files written and not yet part of the table
 * @param deleted positions to delete, by location of the data file they lie in
 */
public record WriteOutcome(List<DataFile> dataFiles, Map<String, DeletedPositions> deleted)
    implements Serializable {

  /** The versioned form of an outcome. */
  public static final VersionedSerializer<WriteOutcome> SERIALIZER =
      new VersionedSerializer<>(WriteOutcome.class);

  public WriteOutcome {
    dataFiles = List.copyOf(dataFiles);
    deleted = Map.copyOf(deleted);
  }

  /** The deleted positions of all outcomes, by location of the data file. */
  static Map<String, DeletedPositions> mergeDeleted(List<WriteOutcome> outcomes) {
    Map<String, DeletedPositions> merged = new HashMap<>();
    for (WriteOutcome outcome : outcomes) {
      outcome
          .deleted()
          .forEach(
              (file, positions) ->
                  merged.computeIfAbsent(file, f -> new DeletedPositions()).addAll(positions));
    }
    return merged;
  }
}
