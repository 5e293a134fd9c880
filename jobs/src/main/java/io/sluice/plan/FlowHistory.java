package io.sluice.plan;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.Problem;
import io.sluice.errors.SluiceException;
import io.sluice.files.ReadFilesOptions;
import io.sluice.pipeline.Flow;
import io.sluice.pipeline.NameScope;
import io.sluice.pipeline.Pipeline;
import io.sluice.pipeline.Settings;
import io.sluice.pipeline.TargetTable;
import io.sluice.pipeline.View;
import io.sluice.sql.Query;
import io.sluice.sql.SourceReference;
import io.sluice.table.Ledger;
import io.sluice.table.Ledger.OnceEntry;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Under which names the ledger of a target knows its flows. A flow that is new and reads the same
 * sources as exactly one flow that is gone is that flow under a new name and goes on where it was:
 * a renamed flow must not ingest twice.
 */
public final class FlowHistory {

  private final Pipeline pipeline;
  private final TargetTable table;
  private final TargetState state;
  private final Map<String, String> oldNames = new LinkedHashMap<>();

  private FlowHistory(Pipeline pipeline, TargetTable table, TargetState state) {
    this.pipeline = pipeline;
    this.table = table;
    this.state = state;
  }

  /**
   * Looks the flows of a target up in its ledger.
   *
   * @param notices where a taken-over position is told
   * @throws SluiceException AMBIGUOUS_POSITION if it cannot be told which flow a new one was
   */
  public static FlowHistory of(
      Pipeline pipeline, TargetTable table, TargetState state, List<String> notices) {
    FlowHistory history = new FlowHistory(pipeline, table, state);
    history.match(notices);
    return history;
  }

  private void match(List<String> notices) {
    List<Flow> flows = pipeline.flowsInto(table);
    Set<String> gone = new TreeSet<>(state.ledger().flows());
    flows.forEach(flow -> gone.remove(flow.name()));
    if (gone.isEmpty()) {
      return;
    }
    Map<String, List<Flow>> claims = new LinkedHashMap<>();
    for (Flow flow : flows) {
      if (state.ledger().flows().contains(flow.name())
          || "true".equals(pipeline.setting(Settings.REREAD + flow.name(), ""))) {
        continue;
      }
      String named = pipeline.setting(Settings.RENAMED_FROM + flow.name(), "");
      List<String> candidates =
          named.isEmpty()
              ? gone.stream().filter(old -> isSame(flow, old)).toList()
              : gone.stream().filter(named::equals).toList();
      if (candidates.size() > 1) {
        throw ambiguous(flow, candidates);
      }
      candidates.forEach(old -> claims.computeIfAbsent(old, name -> new ArrayList<>()).add(flow));
    }
    claims.forEach(
        (old, claimants) -> {
          if (claimants.size() > 1) {
            throw ambiguous(claimants.get(0), List.of(old));
          }
          oldNames.put(claimants.get(0).name(), old);
          notices.add(
              "flow '"
                  + claimants.get(0).name()
                  + "' takes over the position of '"
                  + old
                  + "', which is gone and read the same; SET '"
                  + Settings.REREAD
                  + claimants.get(0).name()
                  + "' = 'true' makes it read everything instead");
        });
  }

  private boolean isSame(Flow flow, String old) {
    Optional<OnceEntry> once = state.ledger().once(old);
    if (once.isPresent()) {
      return flow.once() && once.get().digest().equals(digest(flow));
    }
    if (flow.snapshot().isPresent()) {
      return state.ledger().version(old).isPresent();
    }
    if (flow.once()) {
      return false;
    }
    Set<String> sources = state.position(old).sources();
    return !sources.isEmpty() && sources.equals(streamIds(flow.query(), flow.scope()));
  }

  private Set<String> streamIds(Query query, NameScope scope) {
    Set<String> ids = new TreeSet<>();
    for (SourceReference reference : query.sources()) {
      if (reference instanceof SourceReference.TableReference named) {
        Optional<View> view = pipeline.view(scope.full(named.name()));
        if (view.isPresent()) {
          ids.addAll(streamIds(view.get().query(), view.get().scope()));
        } else if (named.stream()) {
          ids.add(
              TopicResolver.idOf(pipeline, named)
                  .orElseGet(() -> SourceIds.ofTable(scope.full(named.name()))));
        }
      } else if (TopicResolver.isCall(reference)) {
        TopicResolver.idOf(pipeline, reference).ifPresent(ids::add);
      } else if (reference instanceof SourceReference.ReadFiles files) {
        Map<String, String> options = new LinkedHashMap<>();
        files.options().forEach((name, value) -> options.put(name, value.text()));
        ids.add(SourceIds.ofFiles(ReadFilesOptions.of(files.path(), options)));
      }
    }
    return ids;
  }

  private SluiceException ambiguous(Flow flow, List<String> candidates) {
    return new SluiceException(
        Problem.at(
            flow.at(),
            ErrorCode.AMBIGUOUS_POSITION,
            "flow '"
                + flow.name()
                + "' of table "
                + table.name()
                + " is new and may be what "
                + candidates
                + " was before",
            "Write SET '"
                + Settings.RENAMED_FROM
                + flow.name()
                + "' = '<old name>' to go on where that flow was, or SET '"
                + Settings.REREAD
                + flow.name()
                + "' = 'true' to read everything"));
  }

  /** The name under which the ledger knows a flow: its own, or the one it had before. */
  public String ledgerName(Flow flow) {
    return oldNames.getOrDefault(flow.name(), flow.name());
  }

  /** Takes what a ledger knows of renamed flows over to their new names, positions aside. */
  public void rename(Ledger.Builder ledger) {
    oldNames.forEach(
        (name, old) -> {
          state.ledger().once(old).ifPresent(entry -> ledger.once(name, entry));
          state.ledger().version(old).ifPresent(version -> ledger.version(name, version));
          ledger.removeFlow(old);
        });
  }

  /** Whether a ONCE flow has run. */
  public boolean hasRun(Flow flow) {
    return flow.once() && state.ledger().once(ledgerName(flow)).isPresent();
  }

  /** Whether a ONCE flow that has run was defined differently then. */
  boolean changedSinceRun(Flow flow) {
    return state
        .ledger()
        .once(ledgerName(flow))
        .filter(entry -> !entry.digest().equals(digest(flow)))
        .isPresent();
  }

  /** What a flow has read. */
  public FlowPosition position(Flow flow) {
    return state.position(ledgerName(flow));
  }

  /** The version that a snapshot flow applied last. */
  Optional<SnapshotVersion> version(Flow flow) {
    return state.ledger().version(ledgerName(flow)).map(SnapshotVersion::fromJson);
  }

  /** Whether the target holds rows that the update goes on from. */
  boolean targetHasRows() {
    return state.hasRows();
  }

  /** A digest of the definition of a ONCE flow. */
  public static String digest(Flow flow) {
    String text =
        flow.query()
            + flow.cdc()
                .map(
                    cdc ->
                        cdc.keys().toString()
                            + cdc.deleteWhen().map(Object::toString).orElse("")
                            + cdc.sequenceBy().map(Object::toString).orElse("")
                            + cdc.systemSequenceBy().map(Object::toString).orElse("")
                            + flow.snapshot().map(Object::toString).orElse(""))
                .orElse("");
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash, 0, 8);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
