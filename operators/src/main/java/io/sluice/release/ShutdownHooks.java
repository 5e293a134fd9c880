package io.sluice.release;

import java.lang.reflect.Field;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What Hadoop and Iceberg want to do when the process ends; for a job whose file systems and
 * threads are gone there is nothing to do. The JDK tells nobody which hooks there are, so this
 * looks into its list, for which {@code java.lang} has to be open, as it is in Flink's processes.
 */
record ShutdownHooks(JobClasses classes) implements ClassRelease.Remnant {

  @Override
  public void end() throws ReflectiveOperationException {
    for (Thread hook : registered()) {
      Object task = field(Thread.class, "target").get(hook);
      if (classes.include(hook.getClass()) || (task != null && classes.include(task.getClass()))) {
        Runtime.getRuntime().removeShutdownHook(hook);
      }
    }
  }

  private static List<Thread> registered() throws ReflectiveOperationException {
    Class<?> registry = Class.forName("java.lang.ApplicationShutdownHooks");
    Field hooks = field(registry, "hooks");
    synchronized (registry) {
      // Null while the process ends.
      Map<?, ?> all = (Map<?, ?>) hooks.get(null);
      Set<?> threads = all == null ? Set.of() : all.keySet();
      return threads.stream().map(Thread.class::cast).toList();
    }
  }

  private static Field field(Class<?> type, String name) throws NoSuchFieldException {
    Field field = type.getDeclaredField(name);
    field.setAccessible(true);
    return field;
  }
}
