package io.sluice.plan;

import io.sluice.sequencing.JavaSerializer;
import io.sluice.sequencing.RowChange;
import io.sluice.sequencing.RowChange.Destination;
import io.sluice.sequencing.RowChangeOperator;
import io.sluice.sequencing.RowChangeSerializer;
import io.sluice.sequencing.RowOrder;
import io.sluice.sequencing.SimpleTypeInformation;
import io.sluice.sequencing.UpdateOutput;
import java.util.EnumMap;
import java.util.Map;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.table.types.logical.RowType;
import org.apache.iceberg.SerializableTable;
import org.apache.iceberg.Table;

/** The end of a job: row changes are written to the target and its companion. */
final class TargetWriter {

  static final TypeInformation<UpdateOutput> OUTPUT = JavaSerializer.typeOf(UpdateOutput.class);

  private final ResolvedTarget target;
  private final OpenTarget open;

  TargetWriter(ResolvedTarget target, OpenTarget open) {
    this.target = target;
    this.open = open;
  }

  /** One writer for all changes: the names of its files are unique within an operator only. */
  DataStream<UpdateOutput> write(DataStream<RowChange> changes) {
    return changes.transform("write " + target.table().name(), OUTPUT, operator());
  }

  private RowChangeOperator operator() {
    Map<Destination, Table> tables = new EnumMap<>(Destination.class);
    Map<Destination, RowOrder> orders = new EnumMap<>(Destination.class);
    changedRows()
        .forEach(
            (destination, type) -> {
              Table table =
                  destination == Destination.COMPANION
                      ? open.companion().orElseThrow().table()
                      : open.table();
              tables.put(destination, SerializableTable.copyOf(table));
              orders.put(destination, RowOrder.of(type, table));
            });
    return new RowChangeOperator(tables, orders, open.operationId());
  }

  TypeInformation<RowChange> changeType() {
    return new SimpleTypeInformation<>(RowChange.class, new RowChangeSerializer(changedRows()));
  }

  /** The tables that the job may change, and the rows that it makes for them. */
  private Map<Destination, RowType> changedRows() {
    Map<Destination, RowType> types = new EnumMap<>(Destination.class);
    types.put(Destination.TARGET, target.fullColumns());
    types.put(Destination.MOVED, target.fullColumns());
    if (open.companion().isPresent() && target.layout().isPresent()) {
      types.put(Destination.COMPANION, target.layout().get().companionColumns());
    }
    return types;
  }
}
