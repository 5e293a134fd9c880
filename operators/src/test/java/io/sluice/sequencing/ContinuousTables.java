package io.sluice.sequencing;

import io.sluice.sequencing.RowChange.Destination;
import io.sluice.table.CommitId;
import io.sluice.table.CommitRequest;
import io.sluice.table.Companion;
import io.sluice.table.Ledger;
import io.sluice.table.LocalFiles;
import io.sluice.table.LocatedRows;
import io.sluice.table.RowSplit;
import io.sluice.table.TableCommitter;
import io.sluice.table.TargetDefinition;
import io.sluice.table.TargetTables;
import io.sluice.table.WriteOutcome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.flink.api.common.functions.RuntimeContext;
import org.apache.flink.util.Collector;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.MetadataColumns;
import org.apache.iceberg.Schema;
import org.apache.iceberg.SerializableTable;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.catalog.Catalog;
import org.apache.iceberg.catalog.TableIdentifier;
import org.apache.iceberg.data.IcebergGenerics;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.flink.FlinkSchemaUtil;
import org.apache.iceberg.hadoop.HadoopCatalog;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.types.Types.NestedField;

/** Target and companion of a continuous job under test, and the commits to them. */
final class ContinuousTables {

  private static final TableIdentifier NAME = TableIdentifier.of("db", "towns");

  private final ContinuousCase of;
  private final Catalog catalog;
  private final Table target;
  private final TableCommitter committer = new TableCommitter();
  private Companion companion;
  private Ledger ledger = Ledger.start("p");
  private int commits;

  ContinuousTables(ContinuousCase of, Path folder, String... partitioning) {
    this.of = of;
    Configuration configuration = new Configuration();
    configuration.set(LocalFiles.PROPERTY, LocalFiles.class.getName());
    catalog = new HadoopCatalog(configuration, folder.toString());
    List<String> identity = new ArrayList<>(List.of("id"));
    identity.addAll(of.layout.identifyingColumns());
    Map<String, String> properties = new HashMap<>();
    properties.put(TableProperties.WRITE_TARGET_FILE_SIZE_BYTES, "1000");
    properties.put(TargetTables.PARTIAL_UPDATES, Boolean.toString(of.layout.partial()));
    target =
        TargetTables.create(
            catalog,
            NAME,
            new TargetDefinition(
                FlinkSchemaUtil.convert(FlinkSchemaUtil.toResolvedSchema(of.fullColumns())),
                identity,
                List.of(partitioning),
                Optional.empty(),
                properties));
    companion = Companion.ensure(catalog, NAME, target, ledger);
  }

  /** Commits the outcomes of a checkpoint, the companion's first. */
  void commit(List<UpdateOutput> outputs) {
    CommitId id = new CommitId("l/" + ++commits);
    List<WriteOutcome> remembered = of(outputs, Destination.COMPANION);
    List<WriteOutcome> rows = of(outputs, Destination.TARGET);
    if (remembered.isEmpty() && rows.isEmpty()) {
      return;
    }
    if (!remembered.isEmpty()) {
      ledger = ledger.toBuilder().companion(companion.commit(remembered, id)).build();
    }
    committer.commit(target, new CommitRequest(rows, ledger, snapshotOf(target), false, true, id));
    companion.finished(target, ledger);
  }

  private static List<WriteOutcome> of(List<UpdateOutput> outputs, Destination destination) {
    return outputs.stream()
        .filter(UpdateOutput.Written.class::isInstance)
        .map(UpdateOutput.Written.class::cast)
        .filter(written -> written.destination() == destination)
        .map(UpdateOutput.Written::outcome)
        .toList();
  }

  private static OptionalLong snapshotOf(Table table) {
    table.refresh();
    Snapshot current = table.currentSnapshot();
    return current == null ? OptionalLong.empty() : OptionalLong.of(current.snapshotId());
  }

  Table target() {
    return target;
  }

  Map<Destination, Table> copies() {
    target.refresh();
    return Map.of(
        Destination.TARGET,
        SerializableTable.copyOf(target),
        Destination.COMPANION,
        SerializableTable.copyOf(companion.table()));
  }

  Map<Destination, RowOrder> orders() {
    return Map.of(
        Destination.TARGET,
        RowOrder.of(of.fullColumns(), target),
        Destination.COMPANION,
        RowOrder.of(of.layout.companionColumns(), companion.table()));
  }

  List<RowSplit> targetSplits() {
    OptionalLong snapshot = snapshotOf(target);
    return snapshot.isEmpty()
        ? List.of()
        : LocatedRows.plan(target, snapshot.getAsLong(), List.of("id"));
  }

  List<RowSplit> companionSplits() {
    return companion.snapshot().isEmpty()
        ? List.of()
        : LocatedRows.plan(
            companion.table(),
            companion.snapshot().getAsLong(),
            List.of("id", Companion.SEQUENCE, Companion.APPLIED_AT));
  }

  static List<String> files(List<RowSplit> splits) {
    return splits.stream().map(split -> split.file().location()).distinct().toList();
  }

  /** All that a rebuild sends, in any order. */
  List<PackedRecord> rebuild(RuntimeContext context) {
    List<PackedRecord> records = new ArrayList<>();
    Collector<PackedRecord> out =
        new org.apache.flink.api.common.functions.util.ListCollector<>(records);
    ExistingRowDecoder rows = ExistingRowDecoder.ofTarget(of.layout);
    ExistingRowDecoder events = ExistingRowDecoder.ofCompanion(of.layout, Collection.NONE);
    List<RowSplit> targetSplits = targetSplits();
    List<RowSplit> companionSplits = companionSplits();
    RecordReader reader = new RecordReader(target, rows, files(targetSplits), context);
    targetSplits.forEach(split -> reader.read(split, io.sluice.table.Selection.all(), out));
    RecordReader remembered =
        new RecordReader(companion.table(), events, files(companionSplits), context);
    companionSplits.forEach(split -> remembered.read(split, events.current(), out));
    Collections.shuffle(records, new java.util.Random(records.size()));
    return records;
  }

  /** The files of the target with live rows. */
  Set<String> liveFiles() {
    target.refresh();
    return liveFiles(IcebergGenerics.read(target));
  }

  /** The files of the companion with live rows. */
  Set<String> liveCompanionFiles() {
    return companion.snapshot().isEmpty()
        ? Set.of()
        : liveFiles(
            IcebergGenerics.read(companion.table()).useSnapshot(companion.snapshot().getAsLong()));
  }

  private static Set<String> liveFiles(IcebergGenerics.ScanBuilder scan) {
    Set<String> files = new TreeSet<>();
    try (CloseableIterable<Record> records =
        scan.project(new Schema(MetadataColumns.FILE_PATH)).build()) {
      records.forEach(row -> files.add((String) row.get(0)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return files;
  }

  /** The live rows, sorted. */
  List<String> rows() {
    target.refresh();
    return read(IcebergGenerics.read(target), target, name -> true);
  }

  /** What is remembered, without its time and update. */
  List<String> remembered() {
    if (companion.snapshot().isEmpty()) {
      return List.of();
    }
    return read(
        IcebergGenerics.read(companion.table()).useSnapshot(companion.snapshot().getAsLong()),
        companion.table(),
        ContinuousTables::isCompared);
  }

  static boolean isCompared(String companionColumn) {
    return !companionColumn.equals(Companion.APPLIED_AT)
        && !companionColumn.equals(Companion.UPDATE);
  }

  private static List<String> read(
      IcebergGenerics.ScanBuilder scan, Table table, Predicate<String> columns) {
    List<String> names =
        table.schema().columns().stream().map(NestedField::name).filter(columns).sorted().toList();
    List<String> rows = new ArrayList<>();
    try (CloseableIterable<Record> records = scan.build()) {
      for (Record row : records) {
        rows.add(
            names.stream()
                .map(name -> name + "=" + row.getField(name))
                .collect(Collectors.joining(" ")));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Collections.sort(rows);
    return rows;
  }
}
