package io.sluice.sequencing;

import java.io.IOException;
import org.apache.flink.api.common.typeutils.base.TypeSerializerSingleton;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * Length and bytes of a value that is nothing but bytes which never change.
 *
 * @param <T> the type of the value
 */
abstract class BytesSerializer<T> extends TypeSerializerSingleton<T> {

  private static final long serialVersionUID = 1L;

  abstract byte[] bytes(T value);

  /** The value with these bytes, which it may keep. */
  abstract T of(byte[] bytes);

  @Override
  public final boolean isImmutableType() {
    return true;
  }

  @Override
  public final T createInstance() {
    return of(new byte[0]);
  }

  @Override
  public final T copy(T from) {
    return from;
  }

  @Override
  public final T copy(T from, T reuse) {
    return from;
  }

  @Override
  public final int getLength() {
    return -1;
  }

  @Override
  public final void serialize(T value, DataOutputView target) throws IOException {
    byte[] bytes = bytes(value);
    target.writeInt(bytes.length);
    target.write(bytes);
  }

  @Override
  public final T deserialize(DataInputView source) throws IOException {
    byte[] bytes = new byte[source.readInt()];
    source.readFully(bytes);
    return of(bytes);
  }

  @Override
  public final T deserialize(T reuse, DataInputView source) throws IOException {
    return deserialize(source);
  }

  @Override
  public final void copy(DataInputView source, DataOutputView target) throws IOException {
    int length = source.readInt();
    target.writeInt(length);
    target.write(source, length);
  }
}
