package io.sluice.sequencing;

import java.util.Objects;
import org.apache.flink.api.common.serialization.SerializerConfig;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;

/**
 * Type information of a type that is one opaque value for Flink, made from its serializer.
 *
 * @param <T> the type
 */
public final class SimpleTypeInformation<T> extends TypeInformation<T> {

  private static final long serialVersionUID = 1L;

  private final Class<T> type;
  private final TypeSerializer<T> serializer;

  public SimpleTypeInformation(Class<T> type, TypeSerializer<T> serializer) {
    this.type = type;
    this.serializer = serializer;
  }

  /** Type information of the keyed operator's input. */
  public static SimpleTypeInformation<PackedRecord> ofRecords() {
    return new SimpleTypeInformation<>(PackedRecord.class, PackedRecordSerializer.INSTANCE);
  }

  /** Type information of keys. */
  public static SimpleTypeInformation<RowKey> ofKeys() {
    return new SimpleTypeInformation<>(RowKey.class, RowKeySerializer.INSTANCE);
  }

  @Override
  public boolean isBasicType() {
    return false;
  }

  @Override
  public boolean isTupleType() {
    return false;
  }

  @Override
  public int getArity() {
    return 1;
  }

  @Override
  public int getTotalFields() {
    return 1;
  }

  @Override
  public Class<T> getTypeClass() {
    return type;
  }

  @Override
  public boolean isKeyType() {
    return Comparable.class.isAssignableFrom(type);
  }

  @Override
  public TypeSerializer<T> createSerializer(SerializerConfig config) {
    return serializer;
  }

  @Override
  public boolean canEqual(Object other) {
    return other instanceof SimpleTypeInformation<?>;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SimpleTypeInformation<?> that
        && type.equals(that.type)
        && serializer.equals(that.serializer);
  }

  @Override
  public int hashCode() {
    return Objects.hash(type, serializer);
  }

  @Override
  public String toString() {
    return "SimpleTypeInformation<" + type.getSimpleName() + ">";
  }
}
