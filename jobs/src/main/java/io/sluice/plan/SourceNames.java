package io.sluice.plan;

import io.sluice.kafka.PartitionRange;
import io.sluice.table.RowSplit;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/** Order-preserving names of what a flow reads (semantics 0.2). */
final class SourceNames {

  private SourceNames() {}

  /** Locations of the data files by data sequence number, then location; their order is theirs. */
  static List<String> locations(List<RowSplit> splits) {
    return ordered(splits).stream().map(name -> name.substring(name.indexOf(':') + 1)).toList();
  }

  /** The same files as text that orders like them. */
  static List<String> ordered(List<RowSplit> splits) {
    Set<String> names = new LinkedHashSet<>();
    for (RowSplit split : splits) {
      names.add(split.orderedName());
    }
    List<String> ordered = new ArrayList<>(names);
    ordered.sort(null);
    return ordered;
  }

  /** The partitions of a topic by number, as far as any is read. */
  static List<String> partitions(String topic, List<PartitionRange> ranges) {
    int last = ranges.stream().mapToInt(PartitionRange::partition).max().orElse(-1);
    return IntStream.rangeClosed(0, last).mapToObj(number -> topic + "-" + number).toList();
  }

  /** What an offset in a file of the source counts. */
  static String unit(ResolvedSource.Files source) {
    return switch (source.options().format()) {
      case JSON, CSV -> "byte";
      case PARQUET, AVRO -> "row";
    };
  }
}
