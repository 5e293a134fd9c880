/** A Kafka broker for tests. */
package io.sluice.kafka;
