package io.sluice.history;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * A struct of sequence types: values compare field by field, the first difference decides
 * (semantics 4.2).
 *
 * @param fields at least one
 */
public record StructType(List<Field> fields) implements SequenceType {

  /** A named field, which may be a struct itself. */
  public record Field(String name, SequenceType type) implements Serializable {
    public Field {
      Objects.requireNonNull(name, "name");
      Objects.requireNonNull(type, "type");
    }
  }

  public StructType {
    fields = List.copyOf(fields);
    if (fields.isEmpty()) {
      throw new IllegalArgumentException("a struct needs at least one field");
    }
  }

  @Override
  public void append(Object value, SequenceEncoder encoder) throws InvalidSequenceException {
    if (value == null) {
      throw InvalidSequenceException.nullValue();
    }
    List<?> values = (List<?>) value;
    if (values.size() != fields.size()) {
      throw new IllegalArgumentException(values.size() + " values for " + this);
    }
    for (int i = 0; i < fields.size(); i++) {
      Field field = fields.get(i);
      try {
        field.type().append(values.get(i), encoder);
      } catch (InvalidSequenceException e) {
        throw e.within(field.name());
      }
    }
  }

  @Override
  public Object take(SequenceDecoder decoder) {
    List<Object> values = new ArrayList<>(fields.size());
    for (Field field : fields) {
      values.add(field.type().take(decoder));
    }
    return List.copyOf(values);
  }
}
