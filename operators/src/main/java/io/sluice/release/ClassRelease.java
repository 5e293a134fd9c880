package io.sluice.release;

import java.util.List;
import org.apache.flink.api.common.functions.RuntimeContext;
import org.apache.flink.util.UserCodeClassLoader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends what a job leaves behind in a task manager, when Flink lets go of the job's class loader
 * there. Everything that reads or writes tables and files registers it; the first one counts. Where
 * Sluice's classes are not those of a job nothing is registered.
 */
public final class ClassRelease implements Runnable {

  private static final Logger LOG = LoggerFactory.getLogger(ClassRelease.class);
  private static final String HOOK = "sluice";

  private final List<Remnant> remnants;

  private ClassRelease(ClassLoader given) {
    JobClasses classes = new JobClasses(given);
    // Iceberg's pools have shutdown hooks, and threads that may still hold the class loader.
    this.remnants =
        List.of(
            new HadoopFileSystems(classes),
            new IcebergPools(classes),
            new JdbcDrivers(classes),
            new ShutdownHooks(classes),
            new GeneratedClasses(classes),
            new ContextClassLoaders(classes));
  }

  /** Something of a job that would outlive it. */
  interface Remnant {

    /** Ends it. */
    void end() throws Exception;
  }

  /** Registers the end of a job's remnants in a task of the job. */
  public static void register(RuntimeContext context) {
    if (JobClasses.areOfAJob()) {
      context.registerUserCodeClassLoaderReleaseHookIfAbsent(
          HOOK, new ClassRelease(context.getUserCodeClassLoader()));
    }
  }

  /** The same for those who have no {@link RuntimeContext}. */
  public static void register(UserCodeClassLoader loader) {
    if (JobClasses.areOfAJob()) {
      loader.registerReleaseHookIfAbsent(HOOK, new ClassRelease(loader.asClassLoader()));
    }
  }

  /** Ends all of them; one that cannot be ended does not keep the others. */
  @Override
  public void run() {
    for (Remnant remnant : remnants) {
      try {
        remnant.end();
      } catch (Exception | LinkageError e) {
        LOG.warn(
            "{} of a job cannot be ended, its classes stay in metaspace. Start task managers with"
                + " Flink's own options of the JVM, or put Sluice's jar into Flink's lib folder",
            remnant.getClass().getSimpleName(),
            e);
      }
    }
  }
}
