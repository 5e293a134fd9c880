package io.sluice.release;

import java.lang.reflect.Field;
import java.util.Map;
import org.apache.flink.table.runtime.generated.CompileUtils;

/**
 * Classes that Flink has generated for the queries of the job. It keeps them, by soft references,
 * for a later job with the same class loader, which there is none; with a large heap they would
 * stay until metaspace is full.
 */
record GeneratedClasses(JobClasses classes) implements ClassRelease.Remnant {

  @Override
  public void end() throws ReflectiveOperationException {
    Field cache = CompileUtils.class.getDeclaredField("COMPILED_CLASS_CACHE");
    cache.setAccessible(true);
    Map<?, ?> generated = (Map<?, ?>) cache.getType().getMethod("asMap").invoke(cache.get(null));
    generated.values().removeIf(type -> isOfJob((Class<?>) type));
  }

  private boolean isOfJob(Class<?> generated) {
    ClassLoader loader = generated.getClassLoader();
    return loader != null && classes.areLoadedBy(loader.getParent());
  }
}
