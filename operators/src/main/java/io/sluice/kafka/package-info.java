/**
 * Topics as sources: what there is to read and from where on ({@link io.sluice.kafka.TopicPlan}),
 * readers of bytes ({@link io.sluice.kafka.TopicSource}), and rows of them ({@link
 * io.sluice.kafka.MessageRowsFunction}).
 */
package io.sluice.kafka;
