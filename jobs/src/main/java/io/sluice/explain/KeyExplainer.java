package io.sluice.explain;

import io.sluice.catalog.CatalogConnection;
import io.sluice.errors.ErrorCode;
import io.sluice.errors.SluiceException;
import io.sluice.explain.KeyExplanation.KeyEvent;
import io.sluice.explain.KeyExplanation.KeyRow;
import io.sluice.history.ExplainedEvent;
import io.sluice.history.History;
import io.sluice.history.InvalidHistoryException;
import io.sluice.history.InvalidSequenceException;
import io.sluice.history.Sequence;
import io.sluice.history.SequenceDecoder;
import io.sluice.history.StorageType;
import io.sluice.history.Version;
import io.sluice.plan.StoredLayout;
import io.sluice.sequencing.KeyLookup;
import io.sluice.sequencing.KeyLookup.StoredEvent;
import io.sluice.sequencing.KeyLookup.StoredRow;
import io.sluice.sequencing.OrderedColumn;
import io.sluice.sequencing.TargetLayout;
import io.sluice.sql.Names;
import io.sluice.table.Companion;
import io.sluice.table.Ledger;
import io.sluice.table.TargetTables;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.flink.table.data.binary.BinaryRowData;
import org.apache.flink.table.types.logical.RowType;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.exceptions.NoSuchNamespaceException;

/** Explains a key of a table from the table and its companion alone. */
public final class KeyExplainer {

  private final String name;
  private final Table table;
  private final Snapshot snapshot;
  private final TargetLayout layout;
  private final ExternalValues external;
  private final Map<Long, Snapshot> snapshots = new HashMap<>();

  private KeyExplainer(String name, Table table) {
    this.name = name;
    this.table = table;
    this.layout = StoredLayout.of(name, table);
    this.snapshot = table.currentSnapshot();
    this.external = new ExternalValues();
    if (snapshot == null) {
      throw new SluiceException(
          ErrorCode.INVALID_CALL,
          "table " + name + " has no rows yet: no update has finished",
          "Run the pipeline that keeps it");
    }
    table.snapshots().forEach(each -> snapshots.put(each.sequenceNumber(), each));
  }

  /**
   * Explains a key.
   *
   * @param parts name of the table: one part, namespace and table, or catalog, namespace and table
   * @param key a text for every key column, {@code a.b} for the field of a struct
   * @throws SluiceException TABLE_OR_VIEW_NOT_FOUND, TABLE_NOT_MANAGED, INVALID_CALL where table
   *     and key do not go together; LEDGER_CORRUPT if the companion is lost
   */
  public static KeyExplanation explain(
      CatalogConnection connection, List<String> parts, Map<String, String> key) {
    TableIdentifier identifier = connection.identifier(parts);
    Table table =
        TargetTables.open(connection.catalog(), identifier)
            .orElseThrow(() -> notFound(connection, identifier));
    KeyExplainer explainer = new KeyExplainer(identifier.toString(), table);
    Optional<Companion> companion =
        Ledger.read(table)
            .flatMap(found -> Companion.open(connection.catalog(), identifier, found.ledger()));
    return explainer.explain(KeyText.parse(explainer.layout, key), companion);
  }

  private static SluiceException notFound(CatalogConnection connection, TableIdentifier wanted) {
    return new SluiceException(
        ErrorCode.TABLE_OR_VIEW_NOT_FOUND,
        "there is no table '" + wanted + "'",
        Names.nearest(wanted.name(), tables(connection, wanted.namespace()))
            .map(nearest -> "Did you mean '" + nearest + "'?")
            .orElse("Name a table of the catalog as namespace.table"));
  }

  private static List<String> tables(CatalogConnection connection, Namespace namespace) {
    try {
      return connection.catalog().listTables(namespace).stream()
          .map(TableIdentifier::name)
          .toList();
    } catch (NoSuchNamespaceException e) {
      return List.of();
    }
  }

  private KeyExplanation explain(List<Object> keyValues, Optional<Companion> companion) {
    KeyLookup lookup;
    try {
      lookup = new KeyLookup(layout, keyValues);
    } catch (InvalidSequenceException e) {
      throw new IllegalStateException("a parsed key has no NULL", e);
    }
    List<StoredRow> rows =
        new ArrayList<>(
            lookup.rows(table, StoredLayout.splits(table, snapshot.snapshotId(), layout)));
    List<StoredEvent> events =
        companion
            .map(found -> lookup.events(found.table(), StoredLayout.splits(found, layout)))
            .orElse(List.of());
    rows.sort(
        Comparator.comparing(
                (StoredRow row) -> row.version().start(),
                Comparator.nullsFirst(Comparator.naturalOrder()))
            .thenComparing(
                row -> row.version().systemStart(),
                Comparator.nullsFirst(Comparator.naturalOrder())));
    RowType rowType = lookup.rowType(table);
    Optional<String> problem = Optional.empty();
    List<KeyEvent> explained = List.of();
    try {
      History<BinaryRowData> history =
          History.recover(
              layout.type(),
              layout.values(),
              rows.stream().map(StoredRow::version).toList(),
              events.stream().map(StoredEvent::event).toList());
      explained = explained(history, events);
      if (history.droppedRemembered()) {
        problem =
            Optional.of(
                "the rows do not go with the remembered events, because somebody else changed"
                    + " them: the rows win");
      }
    } catch (InvalidHistoryException e) {
      problem = Optional.of("these rows can belong to no history, because " + e.reason().text());
    }
    return new KeyExplanation(
        name,
        storage(layout.type()),
        key(keyValues),
        snapshot.snapshotId(),
        Instant.ofEpochMilli(snapshot.timestampMillis()),
        rows.stream().map(row -> keyRow(row, rowType)).toList(),
        explained,
        problem,
        new KeyExplanation.Reading(lookup.splitsRead(), lookup.splitsSkipped(), lookup.bytes()));
  }

  private static String storage(StorageType type) {
    return switch (type) {
      case SCD1 -> "SCD type 1";
      case SCD2 -> "SCD type 2";
      case BITEMPORAL -> "bitemporal";
    };
  }

  private Map<String, Object> key(List<Object> values) {
    Map<String, Object> key = new LinkedHashMap<>();
    List<OrderedColumn> columns = layout.keyColumns();
    for (int i = 0; i < columns.size(); i++) {
      key.put(columns.get(i).name(), external.of(columns.get(i).type(), values.get(i)));
    }
    return key;
  }

  private KeyRow keyRow(StoredRow row, RowType type) {
    Optional<Snapshot> writer = Optional.ofNullable(snapshots.get(row.dataSequenceNumber()));
    return new KeyRow(
        external.columns(type, row.columns(), List.of()),
        row.location().file(),
        row.location().position(),
        writer.map(Snapshot::snapshotId),
        writer.map(each -> Instant.ofEpochMilli(each.timestampMillis())));
  }

  private List<KeyEvent> explained(History<BinaryRowData> history, List<StoredEvent> stored) {
    List<KeyEvent> explained = new ArrayList<>();
    List<StoredEvent> left = new ArrayList<>(stored);
    for (ExplainedEvent<BinaryRowData> each :
        ExplainedEvent.of(history, stored.stream().map(StoredEvent::event).toList())) {
      Optional<StoredEvent> companion =
          left.stream().filter(event -> event.event() == each.event()).findFirst();
      companion.ifPresent(left::remove);
      explained.add(keyEvent(each, companion));
    }
    return explained;
  }

  private KeyEvent keyEvent(
      ExplainedEvent<BinaryRowData> explained, Optional<StoredEvent> companion) {
    var event = explained.event();
    boolean origin = event.origin().isKnown();
    return new KeyEvent(
        sequence(event.sequence()),
        layout.systemSequence() == null
            ? null
            : sequence(event.systemSequence(), layout.systemSequence()),
        event.kind(),
        explained.fate(),
        layout.type() == StorageType.SCD1
            ? null
            : explained.row().map(Version::start).map(this::sequence).orElse(null),
        explained.givesValues(),
        explained.wonTie(),
        companion.isPresent(),
        companion.flatMap(StoredEvent::flow),
        origin ? Optional.of(event.origin().source()) : Optional.empty(),
        origin ? Optional.of(event.origin().offset()) : Optional.empty(),
        companion.map(StoredEvent::appliedAt),
        companion.map(StoredEvent::update),
        event.isUpsert() ? written(event.values()) : Map.of());
  }

  private Map<String, Object> written(BinaryRowData values) {
    List<Integer> without = new ArrayList<>(layout.keys());
    without.addAll(layout.leftAlone(values));
    return external.columns(layout.columns(), values, without);
  }

  private Object sequence(Sequence sequence) {
    return sequence(sequence, layout.sequence());
  }

  private Object sequence(Sequence sequence, OrderedColumn column) {
    return sequence.bytes().length == 0
        ? null
        : external.of(column.type(), column.take(new SequenceDecoder(sequence.bytes())));
  }
}
