package io.sluice.plan;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.errors.ErrorCode;
import io.sluice.errors.SluiceException;
import io.sluice.files.FileEntry;
import io.sluice.files.FileSchema;
import io.sluice.kafka.TopicOffsets;
import io.sluice.table.Companion;
import io.sluice.table.Ledger;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How far a flow has read each of its sources, as the ledger keeps it (JSON by source id). A table
 * is read up to a snapshot; of files the exact set is kept, in the ledger while it is small, in the
 * companion when it is not; of topics the next offset of each partition.
 */
public final class FlowPosition {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String SNAPSHOT = "snapshot";
  private static final String FILES = "files";
  private static final String SPILLED = "spilled";
  private static final String SCHEMA = "schema";

  /** The position of a flow that has read nothing. */
  public static final FlowPosition START = new FlowPosition(Map.of(), Map.of(), Map.of());

  private final Map<String, Long> snapshots;
  private final Map<String, OfFiles> files;
  private final Map<String, TopicOffsets> topics;

  private FlowPosition(
      Map<String, Long> snapshots, Map<String, OfFiles> files, Map<String, TopicOffsets> topics) {
    this.snapshots = Map.copyOf(snapshots);
    this.files = Map.copyOf(files);
    this.topics = Map.copyOf(topics);
  }

  /**
   * Files read by one source.
   *
   * @param files the files
   * @param spilled whether the companion holds them instead of the ledger
   * @param schema the columns as of the last read; empty if nothing was read
   */
  record OfFiles(FileSet files, boolean spilled, Optional<FileSchema> schema) {}

  /** The sources with a position. */
  Set<String> sources() {
    Map<String, Boolean> ids = new LinkedHashMap<>();
    snapshots.keySet().forEach(id -> ids.put(id, true));
    files.keySet().forEach(id -> ids.put(id, true));
    topics.keySet().forEach(id -> ids.put(id, true));
    return ids.keySet();
  }

  OptionalLong snapshot(String source) {
    Long id = snapshots.get(source);
    return id == null ? OptionalLong.empty() : OptionalLong.of(id);
  }

  OfFiles files(String source) {
    return files.getOrDefault(source, new OfFiles(FileSet.EMPTY, false, Optional.empty()));
  }

  FlowPosition withSnapshot(String source, long snapshot) {
    Map<String, Long> changed = new LinkedHashMap<>(snapshots);
    changed.put(source, snapshot);
    return new FlowPosition(changed, files, topics);
  }

  /** How far a topic is read; empty if it is not. */
  Optional<TopicOffsets> topic(String source) {
    return Optional.ofNullable(topics.get(source));
  }

  FlowPosition withTopic(String source, TopicOffsets offsets) {
    Map<String, TopicOffsets> changed = new LinkedHashMap<>(topics);
    changed.put(source, offsets);
    return new FlowPosition(snapshots, files, changed);
  }

  /** What the ledger of a target and its companion say of a flow. */
  public static FlowPosition of(Ledger ledger, Optional<Companion> companion, String flow) {
    Optional<String> json = ledger.position(flow);
    if (json.isEmpty()) {
      return START;
    }
    List<String> rows =
        isSpilled(json.get())
            ? companion.map(found -> found.readFileRows(flow)).orElse(List.of())
            : List.of();
    return fromJson(json.get(), rows);
  }

  /** The position after more was read of a source. */
  public FlowPosition advanced(String source, SourceProgress progress) {
    if (progress instanceof SourceProgress.Files files) {
      return withFiles(source, files.read(), files.schema());
    }
    if (progress instanceof SourceProgress.Topic topic) {
      SortedMap<Integer, Long> next = new TreeMap<>();
      topic(source).ifPresent(before -> next.putAll(before.next()));
      next.putAll(topic.offsets().next());
      return withTopic(source, new TopicOffsets(topic.offsets().topicId(), next));
    }
    return withSnapshot(source, ((SourceProgress.Snapshot) progress).id());
  }

  /** The position after more files were read. */
  FlowPosition withFiles(String source, Collection<FileEntry> read, FileSchema schema) {
    OfFiles before = files(source);
    List<FileEntry> all = new ArrayList<>(before.files().entries());
    all.addAll(read);
    return with(source, new OfFiles(FileSet.of(all), before.spilled(), Optional.of(schema)));
  }

  /** The same position with the files of every source in the companion. */
  public FlowPosition spilled() {
    FlowPosition spilled = this;
    for (Map.Entry<String, OfFiles> entry : files.entrySet()) {
      OfFiles value = entry.getValue();
      spilled = spilled.with(entry.getKey(), new OfFiles(value.files(), true, value.schema()));
    }
    return spilled;
  }

  private FlowPosition with(String source, OfFiles value) {
    Map<String, OfFiles> changed = new LinkedHashMap<>(files);
    changed.put(source, value);
    return new FlowPosition(snapshots, changed, topics);
  }

  /** One line per source for people. */
  List<String> describe() {
    List<String> lines = new ArrayList<>();
    snapshots.forEach((source, snapshot) -> lines.add(source + " up to snapshot " + snapshot));
    files.forEach((source, value) -> lines.add(source + ": " + count(value.files().size())));
    topics.forEach((source, offsets) -> lines.add(TopicPositions.describe(source, offsets)));
    lines.sort(null);
    return lines;
  }

  private static String count(int files) {
    return files == 1 ? "1 file" : files + " files";
  }

  /** Whether there are files that could move into the companion. */
  public boolean spillable() {
    return files.values().stream().anyMatch(value -> !value.spilled());
  }

  /** What the companion has to hold for this position and did not hold for an earlier one. */
  public List<String> rowsSince(FlowPosition before) {
    List<String> rows = new ArrayList<>();
    files.forEach(
        (source, value) -> {
          if (!value.spilled()) {
            return;
          }
          OfFiles old = before.files(source);
          FileSet held = old.spilled() ? old.files() : FileSet.EMPTY;
          value.files().entries().stream()
              .filter(file -> !held.contains(file))
              .sorted()
              .forEach(file -> rows.add(fileToJson(source, file)));
          if (value.schema().isPresent()
              && !(old.spilled() && value.schema().equals(old.schema()))) {
            rows.add(schemaToJson(source, value.schema().get()));
          }
        });
    return rows;
  }

  public String toJson() {
    ObjectNode root = JSON.createObjectNode();
    snapshots.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .forEach(entry -> root.putObject(entry.getKey()).put(SNAPSHOT, entry.getValue()));
    files.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .forEach(entry -> write(entry.getValue(), root.putObject(entry.getKey())));
    topics.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .forEach(entry -> TopicPositions.write(entry.getValue(), root.putObject(entry.getKey())));
    return root.toString();
  }

  private static void write(OfFiles value, ObjectNode into) {
    if (value.spilled()) {
      into.put(SPILLED, true);
      return;
    }
    value.schema().ifPresent(schema -> into.put(SCHEMA, schema.toJson()));
    ArrayNode list = into.putArray(FILES);
    value.files().entries().stream()
        .sorted()
        .forEach(
            file ->
                list.addArray().add(file.path()).add(file.size()).add(file.modificationTimeMs()));
  }

  /** The companion's description of a file that a source has read. */
  static String fileToJson(String source, FileEntry file) {
    return JSON.createObjectNode()
        .put("source", source)
        .put("path", file.path())
        .put("size", file.size())
        .put("modificationTimeMs", file.modificationTimeMs())
        .toString();
  }

  /** The companion's note of the columns of a source; the note with the most columns counts. */
  static String schemaToJson(String source, FileSchema schema) {
    return JSON.createObjectNode().put("source", source).put(SCHEMA, schema.toJson()).toString();
  }

  /** Whether a position leaves something to the companion; the text of a path quotes its quotes. */
  static boolean isSpilled(String json) {
    return json.contains("{\"" + SPILLED + "\":");
  }

  /**
   * Reads what {@link #toJson} wrote.
   *
   * @param companionRows what the companion says of files that the flow has read, and of columns
   * @throws SluiceException LEDGER_CORRUPT if it is something else
   */
  static FlowPosition fromJson(String json, List<String> companionRows) {
    try {
      SpilledFiles spilled = SpilledFiles.parse(JSON, companionRows);
      Map<String, Long> snapshots = new LinkedHashMap<>();
      Map<String, OfFiles> files = new LinkedHashMap<>();
      Map<String, TopicOffsets> topics = new LinkedHashMap<>();
      requireObject(JSON.readTree(json))
          .fields()
          .forEachRemaining(
              entry -> {
                if (TopicPositions.is(entry.getValue())) {
                  topics.put(entry.getKey(), TopicPositions.read(entry.getValue()));
                } else {
                  read(entry.getKey(), entry.getValue(), spilled, snapshots, files);
                }
              });
      return new FlowPosition(snapshots, files, topics);
    } catch (JsonProcessingException | RuntimeException e) {
      throw new SluiceException(
          ErrorCode.LEDGER_CORRUPT,
          "a position in the ledger cannot be read: " + json,
          "Roll the table back to an earlier snapshot, or run it with --full-refresh",
          e);
    }
  }

  /** Anything else has no entries and would pass for a flow that has read nothing. */
  private static JsonNode requireObject(JsonNode node) {
    if (node == null || !node.isObject()) {
      throw new IllegalArgumentException("a position is a JSON object");
    }
    return node;
  }

  private static void read(
      String source,
      JsonNode value,
      SpilledFiles spilled,
      Map<String, Long> snapshots,
      Map<String, OfFiles> files) {
    if (value.has(SNAPSHOT)) {
      snapshots.put(source, number(value.get(SNAPSHOT)));
      return;
    }
    if (value.has(SPILLED)) {
      files.put(source, new OfFiles(spilled.files(source), true, spilled.schema(source)));
      return;
    }
    Optional<FileSchema> schema =
        Optional.ofNullable(value.get(SCHEMA)).map(text -> FileSchema.fromJson(text.asText()));
    List<FileEntry> entries = new ArrayList<>();
    for (JsonNode file : value.required(FILES)) {
      entries.add(
          new FileEntry(
              file.required(0).asText(), number(file.required(1)), number(file.required(2))));
    }
    files.put(source, new OfFiles(FileSet.of(entries), false, schema));
  }

  static long number(JsonNode node) {
    if (!node.isIntegralNumber()) {
      throw new IllegalArgumentException(node + " is no whole number");
    }
    return node.asLong();
  }
}
