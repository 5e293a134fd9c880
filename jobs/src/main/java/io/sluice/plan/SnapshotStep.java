package io.sluice.plan;

import java.util.Optional;

/**
 * What a step does for a snapshot flow.
 *
 * @param version the snapshot to apply; empty if only the end of a ONCE flow is noted
 * @param previous the version before it; empty for the first one
 * @param last whether a ONCE flow is done with this step
 */
public record SnapshotStep(
    Optional<SnapshotVersion> version, Optional<SnapshotVersion> previous, boolean last) {}
