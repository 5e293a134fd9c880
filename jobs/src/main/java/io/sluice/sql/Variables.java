package io.sluice.sql;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** Values of {@code ${name}}: from --set, then SET statements read so far, then the environment. */
final class Variables {

  private static final Pattern NAME = Pattern.compile("[\\p{L}_][\\p{L}\\p{N}_.\\-]*");

  private final Map<String, String> setOptions;
  private final Map<String, String> statements = new HashMap<>();
  private final Map<String, String> environment;

  Variables(Map<String, String> setOptions, Map<String, String> environment) {
    this.setOptions = Map.copyOf(setOptions);
    this.environment = Map.copyOf(environment);
  }

  static boolean isName(String text) {
    return NAME.matcher(text).matches();
  }

  void set(String key, String value) {
    statements.put(key, value);
  }

  Optional<String> lookUp(String name) {
    if (setOptions.containsKey(name)) {
      return Optional.of(setOptions.get(name));
    }
    if (statements.containsKey(name)) {
      return Optional.of(statements.get(name));
    }
    return Optional.ofNullable(environment.get(name));
  }

  /** Looks at the user's own names only: the environment holds too many foreign ones. */
  String didYouMean(String name) {
    Set<String> own = new TreeSet<>(setOptions.keySet());
    own.addAll(statements.keySet());
    return Names.nearest(name, own).map(near -> "; did you mean ${" + near + "}?").orElse("");
  }
}
