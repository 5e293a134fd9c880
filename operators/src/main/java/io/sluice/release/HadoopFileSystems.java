package io.sluice.release;

import java.lang.reflect.Field;
import org.apache.hadoop.fs.FileSystem;

/**
 * Hadoop's file systems, which it caches for the life of the process, and its thread that adds up
 * the statistics of threads that have ended. Nothing but an interrupt ends that thread, which says
 * so in a warning.
 */
record HadoopFileSystems(JobClasses classes) implements ClassRelease.Remnant {

  @Override
  public void end() throws Exception {
    if (!classes.include(FileSystem.class)) {
      return;
    }
    FileSystem.closeAll();
    Field cleaner = FileSystem.Statistics.class.getDeclaredField("STATS_DATA_CLEANER");
    cleaner.setAccessible(true);
    ((Thread) cleaner.get(null)).interrupt();
  }
}
