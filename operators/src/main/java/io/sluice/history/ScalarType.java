package io.sluice.history;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** The sequence types without parameters; Java forms in {@link SequenceType}. */
public enum ScalarType implements SequenceType {
  BOOLEAN,
  TINYINT,
  SMALLINT,
  INTEGER,
  BIGINT,
  FLOAT,
  DOUBLE,
  STRING,
  BYTES,
  DATE;

  @Override
  public void append(Object value, SequenceEncoder encoder) throws InvalidSequenceException {
    if (value == null) {
      throw InvalidSequenceException.nullValue();
    }
    switch (this) {
      case BOOLEAN -> encoder.putBoolean((Boolean) value);
      case TINYINT -> encoder.putByte((Byte) value);
      case SMALLINT -> encoder.putShort((Short) value);
      case INTEGER, DATE -> encoder.putInt((Integer) value);
      case BIGINT -> encoder.putLong((Long) value);
      case FLOAT -> encoder.putFloat((Float) value);
      case DOUBLE -> encoder.putDouble((Double) value);
      case STRING -> appendText((String) value, encoder);
      case BYTES -> encoder.putBytes((byte[]) value, 0, ((byte[]) value).length);
    }
  }

  @Override
  public Object take(SequenceDecoder decoder) {
    // Boxed one by one: the branches of a switch expression would be promoted to one number type.
    return switch (this) {
      case BOOLEAN -> Boolean.valueOf(decoder.takeBoolean());
      case TINYINT -> Byte.valueOf(decoder.takeByte());
      case SMALLINT -> Short.valueOf(decoder.takeShort());
      case INTEGER, DATE -> Integer.valueOf(decoder.takeInt());
      case BIGINT -> Long.valueOf(decoder.takeLong());
      case FLOAT -> Float.valueOf(decoder.takeFloat());
      case DOUBLE -> Double.valueOf(decoder.takeDouble());
      case STRING -> decoder.takeString();
      case BYTES -> decoder.takeBytes();
    };
  }

  private static void appendText(String text, SequenceEncoder encoder)
      throws InvalidSequenceException {
    try {
      ByteBuffer utf8 = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
      encoder.putBytes(utf8.array(), utf8.arrayOffset(), utf8.limit());
    } catch (CharacterCodingException e) {
      throw InvalidSequenceException.malformedText();
    }
  }
}
