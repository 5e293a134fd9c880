package io.sluice.plan;

import io.sluice.files.FileEntry;
import io.sluice.sql.FileCondition;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.TimestampData;

/**
 * The files that the query of a snapshot reads: all of its sources, without those of which its
 * WHERE takes no row by what {@code _metadata} says of them.
 */
final class SnapshotFiles {

  private final SnapshotVersion version;

  private SnapshotFiles(SnapshotVersion version) {
    this.version = version;
  }

  /**
   * @param version the version of the snapshot
   */
  static Map<String, SourceInput> of(ResolvedFlow flow, SnapshotVersion version) {
    Map<String, SourceInput> inputs = VersionQuery.wholeInputs(flow.sources());
    SnapshotFiles files = new SnapshotFiles(version);
    for (FileCondition condition : flow.flow().query().fileConditions()) {
      if (flow.sources().get(condition.source()) instanceof ResolvedSource.Files source
          && isReadOnce(flow, source)) {
        inputs.computeIfPresent(source.id(), (id, input) -> files.wanted(input, condition));
      }
    }
    return inputs;
  }

  private static boolean isReadOnce(ResolvedFlow flow, ResolvedSource source) {
    return flow.sources().values().stream()
            .filter(each -> each.id().equals(source.id()))
            .limit(2)
            .count()
        == 1;
  }

  private SourceInput wanted(SourceInput input, FileCondition condition) {
    if (!(input instanceof SourceInput.OfFiles all)) {
      return input;
    }
    List<FileEntry> files = all.files().stream().filter(file -> mayMatch(file, condition)).toList();
    return new SourceInput.OfFiles(files);
  }

  private boolean mayMatch(FileEntry file, FileCondition condition) {
    Object wanted = condition.literal().<Object>map(StringData::fromString).orElse(version.value());
    return switch (condition.field()) {
      case "file_path" -> isText(wanted, file.path());
      case "file_name" -> isText(wanted, file.name());
      case "file_size" -> !(wanted instanceof Long size) || size == file.size();
      case "file_modification_time" ->
          !(wanted instanceof TimestampData time)
              || time.getMillisecond() == file.modificationTimeMs()
                  && time.getNanoOfMillisecond() == 0;
      default -> true;
    };
  }

  private static boolean isText(Object wanted, String text) {
    return !(wanted instanceof StringData) || Objects.equals(wanted.toString(), text);
  }
}
