package io.sluice.plan;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.catalog.CatalogConnection;
import io.sluice.sql.QualifiedName;
import io.sluice.table.Ledger;
import io.sluice.table.TargetTables;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.util.SnapshotUtil;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Who reads a table of Sluice with STREAM, of this pipeline or another: a property of the table
 * names each reader from its first read on, and the reader's ledger tells how far it is. Snapshots
 * from there on are needed.
 */
public final class SourceReaders {

  private static final Logger LOG = LoggerFactory.getLogger(SourceReaders.class);
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Prefix of the properties; the value is the reader's name as a JSON list. */
  static final String PROPERTY = "sluice.reader.";

  /** A reader that leaves rows unread for longer holds nothing back. */
  public static final Duration PATIENCE = Duration.ofDays(7);

  private SourceReaders() {}

  /**
   * Notes a target as reader of the tables that its flows read with STREAM. A source that cannot be
   * written is left as it is; tables of others keep their snapshots by their own rules.
   */
  public static void note(
      CatalogConnection connection, List<ResolvedFlow> flows, TableIdentifier reader) {
    for (ResolvedFlow flow : flows) {
      for (ResolvedSource source : flow.sources().values()) {
        if (source instanceof ResolvedSource.CatalogTable table && table.streaming()) {
          note(connection, table.name(), reader);
        }
      }
    }
  }

  /** The flows of a step that begin to read a table with STREAM. */
  public static List<ResolvedFlow> beginning(UpdateStep step, FlowHistory history) {
    List<ResolvedFlow> beginning = new ArrayList<>();
    for (FlowStep each : step.flows()) {
      FlowPosition before = history.position(each.flow().flow());
      if (each.flow().sources().values().stream()
          .anyMatch(
              source ->
                  source instanceof ResolvedSource.CatalogTable table
                      && table.streaming()
                      && before.snapshot(table.id()).isEmpty())) {
        beginning.add(each.flow());
      }
    }
    return beginning;
  }

  private static void note(
      CatalogConnection connection, QualifiedName source, TableIdentifier reader) {
    try {
      Optional<Table> table =
          TargetTables.open(connection.catalog(), connection.identifier(source.parts()));
      String property = PROPERTY + reader;
      if (table.isPresent()
          && TargetTables.isManaged(table.get())
          && !table.get().properties().containsKey(property)) {
        table.get().updateProperties().set(property, toJson(reader)).commit();
      }
    } catch (RuntimeException e) {
      LOG.warn("Table {} cannot be told that {} reads it", source, reader, e);
    }
  }

  /**
   * The snapshots of a table up to which its readers have read it. Readers that are gone, have read
   * nothing yet or have been waiting for too long have none.
   *
   * @param name of the table
   */
  public static Set<Long> positions(Catalog catalog, Table table, TableIdentifier name) {
    List<String> parts = new ArrayList<>(List.of(name.namespace().levels()));
    parts.add(name.name());
    String source = SourceIds.ofTable(new QualifiedName(parts));
    Set<Long> positions = new HashSet<>();
    for (Map.Entry<String, String> property : table.properties().entrySet()) {
      if (property.getKey().startsWith(PROPERTY)) {
        Optional<Ledger> ledger =
            TargetTables.open(catalog, fromJson(property.getValue()))
                .flatMap(Ledger::read)
                .map(Ledger.Found::ledger);
        if (ledger.isPresent()) {
          for (String flow : ledger.get().flows()) {
            OptionalLong read =
                FlowPosition.of(ledger.get(), Optional.empty(), flow).snapshot(source);
            read.ifPresent(positions::add);
          }
        }
      }
    }
    positions.removeIf(read -> hasWaited(table, read));
    return positions;
  }

  /** Whether the first snapshot behind a position is older than readers are waited for. */
  private static boolean hasWaited(Table table, long position) {
    long until = System.currentTimeMillis() - PATIENCE.toMillis();
    Snapshot next = null;
    for (Snapshot snapshot : SnapshotUtil.currentAncestors(table)) {
      if (snapshot.snapshotId() == position) {
        return next != null && next.timestampMillis() < until;
      }
      next = snapshot;
    }
    return true;
  }

  private static String toJson(TableIdentifier name) {
    List<String> parts = new ArrayList<>(List.of(name.namespace().levels()));
    parts.add(name.name());
    try {
      return JSON.writeValueAsString(parts);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  private static TableIdentifier fromJson(String text) {
    try {
      List<String> parts = JSON.readValue(text, new TypeReference<List<String>>() {});
      return TableIdentifier.of(parts.toArray(String[]::new));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("no name of a reader: " + text, e);
    }
  }
}
