package io.sluice.sequencing;

import java.io.Serializable;

/**
 * The snapshot that one step applies.
 *
 * @param flow declaration order of its flow
 * @param version order-preserving bytes of its version
 */
public record SnapshotPlan(int flow, byte[] version) implements Serializable {}
