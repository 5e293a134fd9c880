package io.sluice.sequencing;

import java.io.IOException;
import java.io.Serializable;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.base.TypeSerializerSingleton;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;
import org.apache.flink.util.InstantiationUtil;

/**
 * Java serialisation as a Flink serializer, for the few control records of a job (splits, key sets,
 * outcomes); never for rows.
 *
 * @param <T> a serializable type without mutable use after sending
 */
public final class JavaSerializer<T extends Serializable> extends TypeSerializerSingleton<T> {

  private static final long serialVersionUID = 1L;

  /** Type information of a control record. */
  public static <T extends Serializable> SimpleTypeInformation<T> typeOf(Class<T> type) {
    return new SimpleTypeInformation<>(type, new JavaSerializer<>());
  }

  @Override
  public boolean isImmutableType() {
    return true;
  }

  @Override
  public T createInstance() {
    return null;
  }

  @Override
  public T copy(T from) {
    return from;
  }

  @Override
  public T copy(T from, T reuse) {
    return from;
  }

  @Override
  public int getLength() {
    return -1;
  }

  @Override
  public void serialize(T record, DataOutputView target) throws IOException {
    Wire.writeBytes(InstantiationUtil.serializeObject(record), target);
  }

  @Override
  public T deserialize(DataInputView source) throws IOException {
    try {
      return InstantiationUtil.deserializeObject(
          Wire.readBytes(source), Thread.currentThread().getContextClassLoader());
    } catch (ClassNotFoundException e) {
      throw new IOException(e);
    }
  }

  @Override
  public T deserialize(T reuse, DataInputView source) throws IOException {
    return deserialize(source);
  }

  @Override
  public void copy(DataInputView source, DataOutputView target) throws IOException {
    Wire.writeBytes(Wire.readBytes(source), target);
  }

  @Override
  public TypeSerializerSnapshot<T> snapshotConfiguration() {
    return new Snapshot<>();
  }

  /** Java serialisation has one version. */
  public static final class Snapshot<T extends Serializable>
      extends SimpleTypeSerializerSnapshot<T> {
    public Snapshot() {
      super(JavaSerializer::new);
    }
  }
}
