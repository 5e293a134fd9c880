/**
 * Sluice as a program of a Flink cluster: JobManager, TaskManagers and client are processes of
 * their own, as on several machines, started from the jars that the build has made.
 */
package io.sluice.cluster;
