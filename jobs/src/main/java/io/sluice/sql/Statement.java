package io.sluice.sql;

import io.sluice.errors.SourceLocation;

/** One statement of a pipeline file (semantics section 2). */
public sealed interface Statement
    permits SetStatement,
        PassThrough,
        CreateView,
        CreateStreamingTable,
        CreateMaterializedView,
        CreateTable,
        CreateFlow,
        AlterSchedule,
        Refresh,
        Drop,
        InsertRows,
        UpdateRows,
        DeleteRows,
        QueryStatement {

  /** Place of its first word. */
  SourceLocation at();
}
