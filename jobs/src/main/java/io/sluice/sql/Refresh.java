package io.sluice.sql;

import io.sluice.errors.SourceLocation;
import java.util.Optional;

/**
 * {@code REFRESH .. name [FULL] [WHERE predicate] [SYNC | ASYNC]} (semantics 2.5, 14).
 *
 * @param at place of REFRESH
 * @param object what kind of thing the statement names; TABLE if STREAMING was left out
 * @param nameAt place of the name
 * @param name the table or view
 * @param full whether FULL was written
 * @param where predicate that replaces the one of the REPLACE WHERE flow for this run
 * @param async whether ASYNC was written
 */
public record Refresh(
    SourceLocation at,
    ObjectKind object,
    SourceLocation nameAt,
    QualifiedName name,
    boolean full,
    Optional<SqlExpression> where,
    boolean async)
    implements Statement {}
