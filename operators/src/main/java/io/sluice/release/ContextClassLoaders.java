package io.sluice.release;

/**
 * Threads of the JDK that were started while the job ran, and go on for others: each has the
 * context class loader of whoever started it. Hadoop starts a process when it is loaded, and the
 * thread that waits for processes to end lives for as long as there are any within a minute.
 */
record ContextClassLoaders(JobClasses classes) implements ClassRelease.Remnant {

  @Override
  public void end() {
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (classes.areLoadedBy(thread.getContextClassLoader())) {
        thread.setContextClassLoader(classes.parent());
      }
    }
  }
}
