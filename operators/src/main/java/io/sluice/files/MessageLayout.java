package io.sluice.files;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.flink.table.types.logical.BigIntType;
import org.apache.flink.table.types.logical.IntType;
import org.apache.flink.table.types.logical.RowType;

/**
 * The rows that messages become: the columns, then {@code _metadata} if wanted, then {@code
 * __file_ordinal INT} and {@code __file_offset BIGINT}, which are partition and offset.
 *
 * @param schema the columns
 * @param metadata type of {@code _metadata}; null where it is not wanted
 */
public record MessageLayout(FileSchema schema, RowType metadata) implements Serializable {

  public MessageLayout {
    Objects.requireNonNull(schema, "schema");
  }

  /** The type of the rows. */
  public RowType producedType() {
    List<RowType.RowField> fields = new ArrayList<>(schema.data().getFields());
    if (metadata != null) {
      fields.add(new RowType.RowField(RowAssembler.METADATA, metadata));
    }
    fields.add(new RowType.RowField(RowAssembler.FILE_ORDINAL, new IntType(false)));
    fields.add(new RowType.RowField(RowAssembler.FILE_OFFSET, new BigIntType(false)));
    return new RowType(false, fields);
  }
}
