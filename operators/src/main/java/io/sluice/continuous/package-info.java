/**
 * Continuous mode around the sequencer: sources of what arrives, how far they are read at each
 * barrier, and the committer that makes one commit of each checkpoint.
 */
package io.sluice.continuous;
