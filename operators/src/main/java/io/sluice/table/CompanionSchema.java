package io.sluice.table;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.TypeUtil;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.types.Types.NestedField;

/** The columns of a companion table (semantics 0.2, 0.5, 0.16 say what they are for). */
final class CompanionSchema {

  private CompanionSchema() {}

  /**
   * The target's user columns, all optional, then the columns that describe an event. A target
   * without a sequence keeps no events, so that its companion has neither user columns nor a
   * sequence.
   *
   * @param partial whether events say which columns they write
   */
  static Schema of(Schema target, boolean partial) {
    AtomicInteger lastId = new AtomicInteger();
    List<NestedField> fields = new ArrayList<>();
    GeneratedColumns.sequence(target)
        .ifPresent(
            sequence -> {
              for (NestedField column : GeneratedColumns.userColumns(target)) {
                add(fields, lastId, column.name(), column.type());
              }
            });
    if (partial) {
      add(fields, lastId, Companion.AUTHORED, Types.StringType.get());
    }
    NestedField kind =
        NestedField.required(lastId.incrementAndGet(), Companion.KIND, Types.StringType.get());
    fields.add(kind);
    GeneratedColumns.sequence(target)
        .ifPresent(sequence -> add(fields, lastId, Companion.SEQUENCE, sequence.type()));
    add(fields, lastId, Companion.FLOW, Types.StringType.get());
    add(fields, lastId, Companion.SOURCE, Types.StringType.get());
    add(fields, lastId, Companion.OFFSET, Types.LongType.get());
    add(fields, lastId, Companion.APPLIED_AT, Types.TimestampType.withZone());
    add(fields, lastId, Companion.UPDATE, Types.LongType.get());
    return new Schema(fields);
  }

  private static void add(List<NestedField> fields, AtomicInteger lastId, String name, Type type) {
    int id = lastId.incrementAndGet();
    Type fresh =
        type.isPrimitiveType() ? type : TypeUtil.assignFreshIds(type, lastId::incrementAndGet);
    fields.add(NestedField.optional(id, name, fresh));
  }
}
