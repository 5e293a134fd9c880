package io.sluice.plan;

import io.sluice.catalog.CatalogConnection;
import io.sluice.files.FileEntry;
import io.sluice.kafka.KafkaTopic;
import io.sluice.kafka.StartingOffsets;
import io.sluice.kafka.TopicLookup;
import io.sluice.kafka.TopicOffsets;
import io.sluice.kafka.TopicPlan;
import io.sluice.kafka.TopicState;
import io.sluice.pipeline.Flow;
import io.sluice.table.AppendedRows;
import io.sluice.table.RowSplit;
import io.sluice.table.TargetTables;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides what each flow of a target reads, one step after the other, from what the ledger says it
 * has read. What there is to read is fixed when the update first looks at a source, so that an
 * update ends although its sources grow.
 */
public final class PositionPlanner {

  private static final Logger LOG = LoggerFactory.getLogger(PositionPlanner.class);

  private final CatalogConnection connection;
  private final ResolvedTarget target;
  private final Map<String, Optional<Table>> tables = new HashMap<>();
  private final Map<String, Long> ends = new HashMap<>();
  private final Map<KafkaTopic, TopicState> topics = new HashMap<>();

  public PositionPlanner(CatalogConnection connection, ResolvedTarget target) {
    this.connection = connection;
    this.target = target;
  }

  /**
   * The next step; empty if there is nothing left to do.
   *
   * @param history what the flows have read
   * @param number of the step within the update
   */
  public Optional<UpdateStep> next(FlowHistory history, int number) {
    List<FlowStep> steps = new ArrayList<>();
    for (ResolvedFlow flow : target.flows()) {
      boolean waits = flow.idle() || history.hasRun(flow.flow());
      if (!waits && flow.snapshot().isEmpty()) {
        step(flow, history.position(flow.flow())).ifPresent(steps::add);
      }
    }
    return steps.isEmpty() ? Optional.empty() : Optional.of(new UpdateStep(number, steps));
  }

  /** All that a flow can read now, whatever it has read before. */
  FlowStep everything(ResolvedFlow flow) {
    return step(flow, FlowPosition.START, false)
        .orElseGet(() -> new FlowStep(flow, Map.of(), FlowPosition.START, Optional.empty()));
  }

  /** All that a flow has not read, by source id; sources without anything new are left out. */
  Map<String, SourceInput> unread(ResolvedFlow flow, FlowPosition position) {
    return step(flow, position, false).map(FlowStep::inputs).orElse(Map.of());
  }

  private Optional<FlowStep> step(ResolvedFlow flow, FlowPosition position) {
    return step(flow, position, true);
  }

  /**
   * @param limited whether a step takes only as many files as one commit may
   */
  private Optional<FlowStep> step(ResolvedFlow flow, FlowPosition position, boolean limited) {
    Map<String, SourceInput> inputs = new LinkedHashMap<>();
    FlowPosition after = position;
    for (ResolvedSource source : flow.distinctSources()) {
      if (source instanceof ResolvedSource.Files files && reads(flow.flow(), source)) {
        List<FileEntry> chunk = chunk(files, position, limited);
        if (!chunk.isEmpty()) {
          inputs.put(source.id(), new SourceInput.OfFiles(chunk));
          after = flow.flow().once() ? after : after.withFiles(source.id(), chunk, files.schema());
        }
      } else if (source instanceof ResolvedSource.CatalogTable table
          && reads(flow.flow(), source)) {
        Optional<SourceInput.OfTable> input = input(table, position);
        if (input.isPresent()) {
          inputs.put(source.id(), input.get());
          after =
              flow.flow().once() ? after : after.withSnapshot(source.id(), input.get().snapshot());
        }
      } else if (source instanceof ResolvedSource.OfTopic topic) {
        Optional<TopicOffsets> before = position.topic(source.id());
        SourceInput.OfTopic input = input(topic, flow.flow().once() ? Optional.empty() : before);
        if (input.size() > 0 || !before.equals(Optional.of(input.after()))) {
          inputs.put(source.id(), input);
          after = flow.flow().once() ? after : after.withTopic(source.id(), input.after());
        }
      }
    }
    if (!inputs.isEmpty()) {
      inputs.putAll(wholeFolders(flow));
    }
    boolean nothing = inputs.isEmpty() && !flow.flow().once();
    return nothing
        ? Optional.empty()
        : Optional.of(new FlowStep(flow, inputs, after, Optional.empty()));
  }

  /** Files beside a stream, read whole whenever that brings something; they have no position. */
  private static Map<String, SourceInput> wholeFolders(ResolvedFlow flow) {
    Map<String, SourceInput> whole = new LinkedHashMap<>();
    for (ResolvedSource source : flow.distinctSources()) {
      if (source instanceof ResolvedSource.Files files && !reads(flow.flow(), source)) {
        whole.put(source.id(), new SourceInput.OfFiles(files.files()));
      }
    }
    return whole;
  }

  private static boolean reads(Flow flow, ResolvedSource source) {
    return flow.once() || source.streaming();
  }

  /** The oldest pending files, as many as one commit may take. */
  private static List<FileEntry> chunk(
      ResolvedSource.Files source, FlowPosition position, boolean limited) {
    FileSet known = source.streaming() ? position.files(source.id()).files() : FileSet.EMPTY;
    List<FileEntry> pending =
        source.files().stream()
            .filter(file -> !known.contains(file))
            .sorted(
                Comparator.comparingLong(FileEntry::modificationTimeMs)
                    .thenComparing(FileEntry::path))
            .toList();
    int most =
        limited && source.streaming()
            ? source.options().maxFilesPerTrigger().orElse(Integer.MAX_VALUE)
            : Integer.MAX_VALUE;
    return pending.subList(0, Math.min(most, pending.size()));
  }

  /** All that is new in a topic; a ONCE flow reads it from its oldest message on. */
  private SourceInput.OfTopic input(ResolvedSource.OfTopic source, Optional<TopicOffsets> before) {
    KafkaTopic topic = source.topic();
    TopicState now = topics.computeIfAbsent(topic, TopicLookup::look);
    KafkaTopic from = source.streaming() ? topic : topic.from(StartingOffsets.EARLIEST);
    TopicPlan plan = TopicPlan.of(from, now, before, source.onLostOffsets());
    plan.lost().forEach(lost -> LOG.warn("Topic {}: {}", topic.name(), lost));
    return new SourceInput.OfTopic(plan.ranges(), plan.after());
  }

  private Optional<SourceInput.OfTable> input(
      ResolvedSource.CatalogTable source, FlowPosition position) {
    Optional<Table> table =
        tables.computeIfAbsent(
            source.id(),
            id ->
                TargetTables.open(
                    connection.catalog(), connection.identifier(source.name().parts())));
    Snapshot current = table.map(Table::currentSnapshot).orElse(null);
    if (current == null) {
      return Optional.empty();
    }
    long end = ends.computeIfAbsent(source.id(), id -> current.snapshotId());
    OptionalLong from = source.streaming() ? position.snapshot(source.id()) : OptionalLong.empty();
    if (from.isPresent() && from.getAsLong() == end) {
      return Optional.empty();
    }
    List<RowSplit> splits = AppendedRows.plan(table.get(), from, end);
    return Optional.of(new SourceInput.OfTable(table.get(), splits, end));
  }
}
