package io.sluice.sequencing;

import io.sluice.history.StorageType;
import io.sluice.sequencing.KeyedRecord.ExistingRow;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.functions.RuntimeContext;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeutils.base.IntSerializer;

/**
 * Rows and remembered events in keyed state: a head per key, which is all that in-order events read
 * and write, and behind it the closed rows, one entry each. All methods work on the current key.
 */
final class KeyStore {

  /** Name of the state of the heads; every key with state has one. */
  static final String HEAD = "head";

  private final ValueState<KeptBytes> head;
  private final MapState<Integer, KeptBytes> behind;
  private final KeptCodec codec;
  private final StorageType type;
  private final List<String> closing;

  KeyStore(RuntimeContext context, TargetLayout layout) {
    head = context.getState(new ValueStateDescriptor<>(HEAD, KeptBytesSerializer.INSTANCE));
    behind =
        context.getMapState(
            new MapStateDescriptor<>(
                "closed rows", IntSerializer.INSTANCE, KeptBytesSerializer.INSTANCE));
    codec = new KeptCodec(layout.valueColumns().getFieldCount());
    type = layout.type();
    closing = layout.closingColumns();
  }

  /** Loads the head, once. */
  void load(OpenKey key) throws Exception {
    if (key.loaded) {
      return;
    }
    key.loaded = true;
    KeptBytes bytes = head.value();
    if (bytes != null) {
      codec.readHead(bytes, key);
    }
  }

  /** Loads the rows behind the head. */
  void loadBehind(OpenKey key) throws Exception {
    key.beginBehind();
    for (Map.Entry<Integer, KeptBytes> entry : behind.entries()) {
      key.loadBehind(entry.getKey(), codec.readRow(entry.getValue(), key.key));
    }
  }

  /** Writes a key back, whose rows all have their places. */
  void store(OpenKey key) throws Exception {
    for (Integer number : key.gone) {
      behind.remove(number);
    }
    key.rowsBehind -= key.gone.size();
    if (key.behind != null || key.rowsBehind == 0) {
      key.greatestEnd = null;
      key.greatestSystemEnd = null;
    }
    if (key.rowsBehind == 0) {
      key.nextBehind = 0;
    }
    List<ExistingRow> ofHead = new ArrayList<>(2);
    for (ExistingRow row : key.rows) {
      if (!isClosed(row)) {
        ofHead.add(row);
        continue;
      }
      if (key.behind == null || !key.behind.containsKey(row)) {
        behind.put(key.nextBehind++, codec.row(row));
        key.rowsBehind++;
      }
      if (row.systemEnd() == null) {
        key.greatestEnd = greater(key.greatestEnd, row.end());
      } else {
        key.greatestSystemEnd = greater(key.greatestSystemEnd, row.systemEnd());
      }
    }
    if (ofHead.isEmpty() && key.remembered.isEmpty() && key.rowsBehind == 0) {
      head.clear();
    } else {
      head.update(codec.head(key, ofHead));
    }
  }

  /** Whether no event behind its ends touches a row; one that cannot be is always looked at. */
  private boolean isClosed(ExistingRow row) {
    return switch (type) {
      case SCD1 -> false;
      case SCD2 -> row.start() != null && row.end() != null;
      case BITEMPORAL ->
          row.start() != null
              && row.systemStart() != null
              && (row.systemEnd() != null
                  || closing.contains(TargetLayout.END_AT) && row.end() != null);
    };
  }

  private static byte[] greater(byte[] left, byte[] right) {
    return left == null || Arrays.compareUnsigned(left, right) < 0 ? right : left;
  }
}
