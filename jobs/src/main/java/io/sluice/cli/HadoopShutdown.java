package io.sluice.cli;

import java.lang.reflect.Field;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.util.ShutdownHookManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hadoop's work at the end of the process. In Flink's client it comes after the class loader of the
 * program was closed, where Hadoop would only print an error for want of its classes.
 */
final class HadoopShutdown {

  private static final Logger LOG = LoggerFactory.getLogger(HadoopShutdown.class);

  private HadoopShutdown() {}

  /** Lets Hadoop believe that it is done; every stream of an update is closed by its own writer. */
  static void skip() {
    try {
      Field done = ShutdownHookManager.class.getDeclaredField("shutdownInProgress");
      done.setAccessible(true);
      ((AtomicBoolean) done.get(ShutdownHookManager.get())).set(true);
    } catch (ReflectiveOperationException | RuntimeException e) {
      LOG.info("Hadoop's end of the process cannot be skipped", e);
    }
  }
}
