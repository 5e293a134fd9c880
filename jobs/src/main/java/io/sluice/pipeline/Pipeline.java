package io.sluice.pipeline;

import io.sluice.sql.PassThrough;
import io.sluice.sql.QualifiedName;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * A checked pipeline: what a file declares.
 *
 * @param name the pipeline's name, kept in the ledgers of its tables
 * @param settings SET statements and what the caller sets, by key
 * @param setup statements of Flink's own that run first, in order
 * @param tables streaming tables in declaration order
 * @param views views in declaration order
 * @param flows flows in declaration order
 */
public record Pipeline(
    String name,
    Map<String, String> settings,
    List<PassThrough> setup,
    List<TargetTable> tables,
    List<View> views,
    List<Flow> flows) {

  public Pipeline {
    settings = Map.copyOf(settings);
    setup = List.copyOf(setup);
    tables = List.copyOf(tables);
    views = List.copyOf(views);
    flows = List.copyOf(flows);
  }

  /** The flows that write into a table, in declaration order. */
  public List<Flow> flowsInto(TargetTable table) {
    return flows.stream().filter(flow -> flow.target().equals(table.name())).toList();
  }

  /** The table with a name, if the file declares it. */
  public Optional<TargetTable> table(QualifiedName name) {
    return tables.stream().filter(table -> table.name().equals(name)).findFirst();
  }

  /** The view with a name, if the file declares it. */
  public Optional<View> view(QualifiedName name) {
    return views.stream().filter(view -> view.name().equals(name)).findFirst();
  }

  /** A setting of Sluice or its default. */
  public String setting(String key, String defaultValue) {
    return settings.getOrDefault(key, defaultValue);
  }

  /** What becomes of records that cannot be applied. */
  public InvalidEventRule invalidEvents() {
    return InvalidEventRule.valueOf(setting(Settings.INVALID_EVENTS, "FAIL"));
  }

  /** How long what no row of a table shows is remembered; zero means for ever. */
  public Duration tombstoneRetention(TargetTable table) {
    return TombstoneRetention.of(
        table.properties(), Optional.ofNullable(settings.get(Settings.TOMBSTONE_RETENTION)));
  }

  /** A setting that is a duration, or its default. */
  public Duration duration(String key) {
    return Settings.duration(setting(key, Settings.defaultDuration(key))).orElseThrow();
  }

  /** What sources write for a value that they do not send. */
  public Optional<String> unavailableValue() {
    return Optional.ofNullable(settings.get(Settings.UNAVAILABLE_VALUE));
  }

  /** For every table, the tables of the pipeline that it reads, directly or through views. */
  public Map<TargetTable, Set<TargetTable>> upstream() {
    Graph graph = Graph.of(this);
    Map<TargetTable, Set<TargetTable>> upstream = new LinkedHashMap<>();
    tables.forEach(table -> upstream.put(table, graph.upstream(table)));
    return upstream;
  }

  /**
   * The tables in an order in which every table stands behind those it reads, grouped into levels:
   * tables of one level do not read each other.
   */
  public List<List<TargetTable>> levels() {
    Graph graph = Graph.of(this);
    Map<TargetTable, Integer> depths = new LinkedHashMap<>();
    tables.forEach(table -> graph.depth(table, depths));
    int last = depths.values().stream().mapToInt(Integer::intValue).max().orElse(-1);
    return IntStream.rangeClosed(0, last)
        .mapToObj(depth -> tables.stream().filter(table -> depths.get(table) == depth).toList())
        .toList();
  }
}
