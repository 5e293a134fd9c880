package io.sluice.pipeline;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.Problem;
import io.sluice.errors.SluiceException;
import io.sluice.errors.SourceLocation;
import io.sluice.history.StorageType;
import io.sluice.sql.ColumnDefinition;
import io.sluice.sql.ColumnSelection;
import io.sluice.sql.CreateFlow;
import io.sluice.sql.CreateStreamingTable;
import io.sluice.sql.CreateTable;
import io.sluice.sql.CreateView;
import io.sluice.sql.FlowBody;
import io.sluice.sql.ParsedPipeline;
import io.sluice.sql.PartitionField;
import io.sluice.sql.PassThrough;
import io.sluice.sql.QualifiedName;
import io.sluice.sql.Query;
import io.sluice.sql.SetStatement;
import io.sluice.sql.Statement;
import io.sluice.sql.StoredAs;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Makes a {@link Pipeline} of the statements of a file and reports all problems at once. */
public final class PipelineBuilder {

  private final List<Problem> problems = new ArrayList<>();
  private final Map<String, String> settings = new LinkedHashMap<>();
  private final List<PassThrough> setup = new ArrayList<>();
  private final List<TargetTable> tables = new ArrayList<>();
  private final List<View> views = new ArrayList<>();
  private final List<Flow> flows = new ArrayList<>();
  private final JavaParts java = new JavaParts();
  private final List<QualifiedName> plainTables = new ArrayList<>();
  private final List<QualifiedName> connectorTables = new ArrayList<>();
  private NameScope scope;

  private PipelineBuilder(NameScope scope) {
    this.scope = scope;
  }

  /**
   * Builds and checks a pipeline.
   *
   * @param parsed the statements of the file
   * @param setOptions settings of the caller; they win over SET statements
   * @param ownCatalog name of the catalog of the catalog configuration
   * @param defaultNamespace namespace of one-part names
   * @throws SluiceException with every problem found
   */
  public static Pipeline build(
      ParsedPipeline parsed,
      Map<String, String> setOptions,
      String ownCatalog,
      String defaultNamespace) {
    return build(parsed, new JavaParts(), setOptions, ownCatalog, defaultNamespace);
  }

  /**
   * Builds and checks a pipeline that a program declares.
   *
   * @param java what its statements have beside their text
   * @throws SluiceException with every problem found
   */
  public static Pipeline build(
      ParsedPipeline parsed,
      JavaParts java,
      Map<String, String> setOptions,
      String ownCatalog,
      String defaultNamespace) {
    PipelineBuilder builder = new PipelineBuilder(NameScope.initial(ownCatalog, defaultNamespace));
    builder.java.addAll(java);
    parsed.statements().forEach(builder::add);
    builder.settings.putAll(setOptions);
    builder.problems.addAll(Settings.check(builder.settings, parsed.statements()));
    Pipeline pipeline =
        new Pipeline(
            builder.settings.getOrDefault(Settings.PIPELINE, baseName(parsed.fileName())),
            builder.settings,
            builder.setup,
            builder.tables,
            builder.views,
            builder.flows);
    builder.problems.addAll(
        PipelineChecks.check(pipeline, builder.plainTables, builder.connectorTables));
    if (!builder.problems.isEmpty()) {
      throw new SluiceException(builder.problems);
    }
    return pipeline;
  }

  private static String baseName(String fileName) {
    String name = fileName.substring(fileName.lastIndexOf('/') + 1);
    int dot = name.lastIndexOf('.');
    return dot > 0 ? name.substring(0, dot) : name;
  }

  private void add(Statement statement) {
    if (statement instanceof SetStatement set) {
      settings.put(set.key(), set.value());
    } else if (statement instanceof PassThrough pass) {
      setup.add(pass);
      if (pass.kind() == PassThrough.Kind.CREATE_TABLE && pass.name().isPresent()) {
        connectorTables.add(scope.full(pass.name().get()));
      }
      if (pass.kind() == PassThrough.Kind.USE && pass.name().isPresent()) {
        boolean isCatalog = pass.flinkSql().toUpperCase(Locale.ROOT).matches("USE\\s+CATALOG.*");
        scope = scope.afterUse(pass.name().get(), isCatalog);
      }
    } else if (statement instanceof CreateView view) {
      addView(view);
    } else if (statement instanceof CreateStreamingTable table) {
      addTable(table);
    } else if (statement instanceof CreateFlow flow) {
      addFlow(
          new FlowHeader(
              flow.at(), flow.name().toString(), scope.full(flow.target()), flow.comment()),
          flow.body());
    } else {
      if (statement instanceof CreateTable table) {
        plainTables.add(scope.full(table.name()));
      }
      notSupported(statement.at(), "this statement");
    }
  }

  private void addView(CreateView view) {
    if (!view.columns().isEmpty()) {
      notSupported(view.columns().get(0).at(), "a column list of a view");
    }
    views.add(
        new View(
            view.nameAt(),
            scope.full(view.name()),
            view.query(),
            scope,
            view.constraints(),
            view.comment(),
            Optional.ofNullable(java.functions().get(view))));
  }

  private void addTable(CreateStreamingTable table) {
    table.parts().schedule().ifPresent(each -> notSupported(each.at(), "a schedule"));
    table.parts().columns().stream()
        .filter(ColumnDefinition::notNull)
        .forEach(each -> notSupported(each.at(), "NOT NULL of a declared column"));
    problems.addAll(TableProperties.check(table));
    QualifiedName name = scope.full(table.name());
    tables.add(
        new TargetTable(
            table.nameAt(),
            name,
            table.parts().columns(),
            table.parts().constraints(),
            table.parts().partitionFields().stream().map(PartitionField::text).toList(),
            table.parts().comment(),
            table.parts().properties()));
    FlowHeader header = new FlowHeader(table.at(), table.name().toString(), name, Optional.empty());
    table.asQuery().ifPresent(query -> flows.add(flow(header, false, query, null, true)));
    table.inlineFlow().ifPresent(body -> addFlow(header, body));
  }

  private record FlowHeader(
      SourceLocation at, String name, QualifiedName target, Optional<String> comment) {}

  private Flow flow(
      FlowHeader header, boolean once, Query query, CdcDefinition cdc, boolean defining) {
    return new Flow(
        header.at(),
        header.name(),
        flows.size(),
        header.target(),
        once,
        query,
        scope,
        Optional.ofNullable(cdc),
        header.comment(),
        defining);
  }

  private void addFlow(FlowHeader header, FlowBody body) {
    if (body instanceof FlowBody.Append append) {
      if (!append.byName()) {
        problem(
            append.at(),
            ErrorCode.SYNTAX,
            "flow '" + header.name() + "' inserts by position, flows insert by name",
            "Write INSERT INTO " + header.target().last() + " BY NAME");
      }
      flows.add(flow(header, append.once(), append.query(), null, false));
    } else if (body instanceof FlowBody.AutoCdc cdc) {
      addCdcFlow(header, cdc);
    } else if (body instanceof FlowBody.SnapshotCdc snapshot) {
      addSnapshotFlow(header, snapshot);
    } else if (body instanceof FlowBody.ReplaceWhere) {
      notSupported(body.at(), "REPLACE WHERE");
    } else if (body instanceof FlowBody.ReplaceUsing) {
      notSupported(body.at(), "REPLACE USING");
    }
  }

  private void addCdcFlow(FlowHeader header, FlowBody.AutoCdc cdc) {
    checkStorage(cdc);
    StorageType type =
        switch (cdc.storedAs().map(StoredAs::type).orElse(StoredAs.Type.SCD_TYPE_1)) {
          case SCD_TYPE_1 -> StorageType.SCD1;
          case SCD_TYPE_2 -> StorageType.SCD2;
          case BITEMPORAL -> StorageType.BITEMPORAL;
        };
    CdcDefinition definition =
        new CdcDefinition(
            cdc.keys(),
            cdc.deleteWhen(),
            cdc.truncateWhen(),
            Optional.of(cdc.sequenceBy()),
            cdc.systemSequenceBy(),
            cdc.columns(),
            type,
            cdc.nullUpdates(),
            cdc.columnsToUpdate(),
            cdc.trackHistory(),
            Optional.empty());
    flows.add(flow(header, cdc.once(), cdc.source().query(), definition, false));
  }

  private void addSnapshotFlow(FlowHeader header, FlowBody.SnapshotCdc snapshot) {
    StoredAs.Type type = snapshot.storedAs().map(StoredAs::type).orElse(StoredAs.Type.SCD_TYPE_1);
    checkTracking(snapshot.trackHistory(), type);
    CdcDefinition definition =
        new CdcDefinition(
            snapshot.keys(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            type == StoredAs.Type.SCD_TYPE_2 ? StorageType.SCD2 : StorageType.SCD1,
            Optional.empty(),
            Optional.empty(),
            snapshot.trackHistory(),
            Optional.of(versionsOf(snapshot)));
    flows.add(flow(header, snapshot.once(), snapshot.snapshot(), definition, false));
  }

  private SnapshotVersions versionsOf(FlowBody.SnapshotCdc snapshot) {
    SnapshotVersions declared = java.versions().get(snapshot);
    return declared != null
        ? declared
        : snapshot
            .version()
            .<SnapshotVersions>map(SnapshotVersions.ByQuery::new)
            .orElse(new SnapshotVersions.InitialLoad());
  }

  private void checkTracking(Optional<ColumnSelection> tracked, StoredAs.Type type) {
    if (tracked.isPresent() && type == StoredAs.Type.SCD_TYPE_1) {
      problem(
          tracked.get().at(),
          ErrorCode.AUTOCDC_TRACK_HISTORY_WITH_SCD1,
          "TRACK HISTORY ON needs STORED AS SCD TYPE 2: SCD type 1 keeps no history",
          "Add STORED AS SCD TYPE 2 or leave the clause out");
    }
  }

  /** Rules V9 to V12 of semantics section 19, then what a later version runs. */
  private void checkStorage(FlowBody.AutoCdc cdc) {
    StoredAs.Type type = cdc.storedAs().map(StoredAs::type).orElse(StoredAs.Type.SCD_TYPE_1);
    checkTracking(cdc.trackHistory(), type);
    if (cdc.truncateWhen().isPresent() && type != StoredAs.Type.SCD_TYPE_1) {
      problem(
          cdc.truncateWhen().get().at(),
          ErrorCode.AUTOCDC_TRUNCATE_NEEDS_SCD1,
          "APPLY AS TRUNCATE WHEN works with SCD TYPE 1 only",
          "Leave the clause out or store the table as SCD TYPE 1");
    }
    boolean bitemporal = type == StoredAs.Type.BITEMPORAL;
    if (bitemporal != cdc.systemSequenceBy().isPresent()) {
      problem(
          bitemporal ? cdc.storedAs().get().at() : cdc.systemSequenceBy().get().at(),
          ErrorCode.AUTOCDC_INCOMPATIBLE_CLAUSES,
          "STORED AS BITEMPORAL and SYSTEM SEQUENCE BY belong together, one of them is missing",
          "Write both or none");
    } else if (bitemporal && cdc.columnsToUpdate().isPresent()) {
      problem(
          cdc.columnsToUpdate().get().at(),
          ErrorCode.AUTOCDC_INCOMPATIBLE_CLAUSES,
          "COLUMNS TO UPDATE cannot be combined with STORED AS BITEMPORAL",
          "Use IGNORE NULL UPDATES, or store the table as SCD TYPE 1 or 2");
    }
    if (cdc.nullUpdates().isPresent() && cdc.columnsToUpdate().isPresent()) {
      problem(
          cdc.columnsToUpdate().get().at(),
          ErrorCode.AUTOCDC_INCOMPATIBLE_CLAUSES,
          "COLUMNS TO UPDATE and IGNORE NULL UPDATES exclude each other",
          "Keep one of them");
    }
  }

  private void notSupported(SourceLocation at, String what) {
    problem(
        at,
        ErrorCode.NOT_SUPPORTED_YET,
        what + " is not supported yet",
        "Leave it out until a later version of Sluice runs it");
  }

  private void problem(SourceLocation at, ErrorCode code, String message, String remedy) {
    problems.add(Problem.at(at, code, message, remedy));
  }
}
