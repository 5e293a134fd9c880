package io.sluice.sql;

import io.sluice.errors.SourceLocation;

/** A query on its own, whose rows are shown. */
public record QueryStatement(SourceLocation at, Query query) implements Statement {}
