package io.sluice.continuous;

import io.sluice.errors.SluiceException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/** Sources of which a test says what is known of them. */
final class ScriptedWatch implements SourceWatch {

  private static final long serialVersionUID = 1L;
  private static final Map<String, ScriptedWatch> ALL = new ConcurrentHashMap<>();

  private final String name = UUID.randomUUID().toString();
  private final transient List<Set<Read>> asked = new ArrayList<>();
  private transient boolean silent;
  private transient SluiceException found;

  ScriptedWatch() {
    ALL.put(name, this);
  }

  /** Nobody answers, or somebody does again. */
  void silent(boolean now) {
    silent = now;
  }

  /** A source is not what it was. */
  void found(SluiceException failure) {
    found = failure;
  }

  /** What was to be confirmed. */
  List<Set<Read>> asked() {
    return asked;
  }

  @Override
  public Session open() {
    return ALL.get(name).new Opened();
  }

  private final class Opened implements Session {

    @Override
    public boolean confirms(Set<Read> sources) {
      asked.add(sources);
      look();
      return !silent;
    }

    @Override
    public void look() {
      if (found != null) {
        throw found;
      }
    }

    @Override
    public void close() {}
  }
}
