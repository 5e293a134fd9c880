package io.sluice.plan;

import io.sluice.catalog.CatalogConnection;
import io.sluice.errors.Problem;
import io.sluice.errors.SluiceException;
import io.sluice.pipeline.Pipeline;
import io.sluice.table.RowSplit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * What a source has that its flow has not read.
 *
 * @param source id of the source
 * @param unread how much; of a topic whose first position is not committed, everything
 * @param unit what is counted: file, message or row
 */
public record SourceLag(String source, long unread, String unit) {

  /**
   * The lags of all flows that a pipeline goes on reading, by table and flow. Looks at every
   * source; a flow whose sources do not answer, or have lost what it would read, is left out.
   *
   * @param resolved the pipeline as its sources are now
   * @param problems is told why a flow is left out
   */
  public static Map<String, Map<String, List<SourceLag>>> of(
      CatalogConnection connection,
      Pipeline pipeline,
      ResolvedPipeline resolved,
      Consumer<Problem> problems) {
    Map<String, Map<String, List<SourceLag>>> lags = new LinkedHashMap<>();
    resolved.levels().stream()
        .flatMap(List::stream)
        .forEach(
            target ->
                lags.put(
                    target.table().name().toString(), of(connection, pipeline, target, problems)));
    return lags;
  }

  private static Map<String, List<SourceLag>> of(
      CatalogConnection connection,
      Pipeline pipeline,
      ResolvedTarget target,
      Consumer<Problem> problems) {
    FlowHistory history =
        FlowHistory.of(pipeline, target.table(), target.state(), new ArrayList<>());
    PositionPlanner planner = new PositionPlanner(connection, target);
    Map<String, List<SourceLag>> lags = new LinkedHashMap<>();
    for (ResolvedFlow flow : target.flows()) {
      if (flow.flow().once() || flow.snapshot().isPresent()) {
        continue;
      }
      Map<String, SourceInput> unread;
      try {
        unread = planner.unread(flow, history.position(flow.flow()));
      } catch (SluiceException e) {
        e.problems().stream()
            .map(each -> each.location().isPresent() ? each : each.movedTo(target.table().at()))
            .forEach(problems);
        continue;
      }
      List<SourceLag> ofFlow = new ArrayList<>();
      for (ResolvedSource source : flow.distinctSources()) {
        if (source.streaming()) {
          ofFlow.add(of(source, unread.get(source.id())));
        }
      }
      lags.put(flow.flow().name(), ofFlow);
    }
    return lags;
  }

  /**
   * @param input null for nothing
   */
  private static SourceLag of(ResolvedSource source, SourceInput input) {
    long unread = 0;
    if (input instanceof SourceInput.OfFiles files) {
      unread = files.size();
    } else if (input instanceof SourceInput.OfTopic topic) {
      unread = topic.ranges().stream().mapToLong(range -> range.to() - range.from()).sum();
    } else if (input instanceof SourceInput.OfTable table) {
      unread = table.splits().stream().mapToLong(RowSplit::estimatedRows).sum();
    }
    String unit =
        source instanceof ResolvedSource.Files
            ? "file"
            : source instanceof ResolvedSource.OfTopic ? "message" : "row";
    return new SourceLag(source.id(), unread, unit);
  }

  /** For people: {@code kafka:orders: 120 messages}. */
  @Override
  public String toString() {
    return source + ": " + unread + " " + unit + (unread == 1 ? "" : "s");
  }
}
