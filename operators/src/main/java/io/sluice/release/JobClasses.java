package io.sluice.release;

import org.apache.flink.api.common.functions.RuntimeContext;

/**
 * The classes that were loaded for one job.
 *
 * @param given the class loader that Flink gives to the job's tasks; it wraps the one that loads
 */
record JobClasses(ClassLoader given) {

  private static final ClassLoader OWN = JobClasses.class.getClassLoader();

  /**
   * Whether Sluice's classes belong to a job. They do not in a process of its own, nor where the
   * jar lies in Flink's {@code lib} folder and is loaded from there.
   */
  static boolean areOfAJob() {
    return OWN != RuntimeContext.class.getClassLoader();
  }

  /** Whether a class was loaded for this job. */
  boolean include(Class<?> type) {
    return type.getClassLoader() == OWN;
  }

  /** Whether a class loader is this job's. */
  boolean areLoadedBy(ClassLoader loader) {
    return loader != null && (loader == OWN || loader == given);
  }

  /** The class loader that stays. */
  ClassLoader parent() {
    return OWN.getParent();
  }
}
