/**
 * The product seen from outside: pipeline text in, rows read by Iceberg's generic reader out. Cases
 * live in a text form of their own; random feeds are compared with a naive oracle.
 */
package io.sluice.conformance;
