package io.sluice.sql;

import io.sluice.errors.SourceLocation;
import java.util.Optional;

/**
 * {@code CREATE FLOW name AS ..}; also the old statement {@code APPLY CHANGES INTO target ..}
 * without CREATE FLOW, whose flow takes the target's name.
 *
 * @param at place of the first word
 * @param nameAt place of the flow's name
 * @param name the flow
 * @param comment COMMENT, if any
 * @param orRefresh whether OR REFRESH was written
 * @param ifNotExists whether IF NOT EXISTS was written
 * @param targetAt place of the target's name
 * @param target the table that the flow writes, without a LIVE prefix
 * @param body what it does
 */
public record CreateFlow(
    SourceLocation at,
    SourceLocation nameAt,
    QualifiedName name,
    Optional<String> comment,
    boolean orRefresh,
    boolean ifNotExists,
    SourceLocation targetAt,
    QualifiedName target,
    FlowBody body)
    implements Statement {}
