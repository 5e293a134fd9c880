/**
 * The Iceberg catalog a pipeline works against: the YAML files of {@code catalog-config} and the
 * connection made from one of them.
 */
package io.sluice.catalog;
