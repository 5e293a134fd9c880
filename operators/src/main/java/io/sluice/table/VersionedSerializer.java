package io.sluice.table;

import java.io.IOException;
import java.io.Serializable;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.util.InstantiationUtil;

/**
 * A versioned form of a Java-serialisable value, for Flink's state and shuffles. Iceberg's file
 * descriptions are Java-serialisable, but only between equal versions of Iceberg: a change of that
 * version raises {@link #VERSION}.
 */
public final class VersionedSerializer<T extends Serializable>
    implements SimpleVersionedSerializer<T>, Serializable {

  private static final long serialVersionUID = 1L;

  /** The version this build writes, and the only one it reads. */
  public static final int VERSION = 1;

  private final Class<T> type;

  /** A serializer for values of a class. */
  public VersionedSerializer(Class<T> type) {
    this.type = type;
  }

  @Override
  public int getVersion() {
    return VERSION;
  }

  @Override
  public byte[] serialize(T value) throws IOException {
    return InstantiationUtil.serializeObject(value);
  }

  /**
   * Reads a value back.
   *
   * @throws IOException if the bytes were written in another version or are no such value
   */
  @Override
  public T deserialize(int version, byte[] bytes) throws IOException {
    if (version != VERSION) {
      throw new IOException(
          type.getSimpleName()
              + " was written in version "
              + version
              + ", this build reads version "
              + VERSION);
    }
    try {
      return type.cast(InstantiationUtil.deserializeObject(bytes, type.getClassLoader()));
    } catch (ClassNotFoundException | ClassCastException e) {
      throw new IOException("the bytes hold no " + type.getSimpleName(), e);
    }
  }
}
