package io.sluice.k8s;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;

/** Every option that Flink's own jars declare, found in the classes that hold options. */
final class FlinkOptions {

  private final Map<String, ConfigOption<?>> options = new HashMap<>();

  FlinkOptions() {
    Stream.of(System.getProperty("java.class.path").split(":"))
        .filter(path -> Path.of(path).getFileName().toString().matches("flink-.*\\.jar"))
        .forEach(this::addFrom);
  }

  private void addFrom(String jar) {
    try (JarFile file = new JarFile(jar)) {
      List<String> classes =
          file.stream()
              .map(entry -> entry.getName())
              .filter(name -> name.matches("org/apache/flink/(?!shaded/).*Options\\.class"))
              .map(name -> name.substring(0, name.length() - 6).replace('/', '.'))
              .toList();
      for (String name : classes) {
        add(Class.forName(name, true, getClass().getClassLoader()));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (ReflectiveOperationException | LinkageError e) {
      throw new IllegalStateException(jar, e);
    }
  }

  private void add(Class<?> holder) throws IllegalAccessException {
    for (Field field : holder.getDeclaredFields()) {
      if (Modifier.isStatic(field.getModifiers()) && field.getType() == ConfigOption.class) {
        field.setAccessible(true);
        ConfigOption<?> option = (ConfigOption<?>) field.get(null);
        options.put(option.key(), option);
      }
    }
  }

  int size() {
    return options.size();
  }

  boolean contains(String key) {
    return options.containsKey(key);
  }

  /**
   * Reads a value as the option's type.
   *
   * @throws IllegalArgumentException if it is none
   */
  Object read(String key, String value) {
    Configuration configuration = new Configuration();
    configuration.setString(key, value);
    return configuration.get(options.get(key));
  }
}
