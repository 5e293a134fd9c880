package io.sluice.continuous;

import java.io.IOException;
import java.io.Serializable;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.util.InstantiationUtil;

/**
 * Java serialisation with a version of ours, for small pieces of state.
 *
 * @param <T> the type of the state
 */
final class JavaVersioned<T extends Serializable> implements SimpleVersionedSerializer<T> {

  /** The version this build writes, and the only one it reads. */
  static final int VERSION = 1;

  private final String what;

  /**
   * @param what name of the state, for messages
   */
  JavaVersioned(String what) {
    this.what = what;
  }

  @Override
  public int getVersion() {
    return VERSION;
  }

  @Override
  public byte[] serialize(T value) throws IOException {
    return InstantiationUtil.serializeObject(value);
  }

  @Override
  public T deserialize(int version, byte[] bytes) throws IOException {
    if (version != VERSION) {
      throw new IOException(
          what + " was written in version " + version + ", this build reads version " + VERSION);
    }
    try {
      return InstantiationUtil.deserializeObject(
          bytes, Thread.currentThread().getContextClassLoader());
    } catch (ClassNotFoundException e) {
      throw new IOException(e);
    }
  }
}
