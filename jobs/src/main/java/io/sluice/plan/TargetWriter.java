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
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
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
  SingleOutputStreamOperator<UpdateOutput> write(DataStream<RowChange> changes) {
    return changes.transform(
        "write " + target.table().name(),
        OUTPUT,
        new RowChangeOperator(tables(), orders(), open.operationId()));
  }

  /** The tables that the job may change. */
  Map<Destination, Table> tables() {
    Map<Destination, Table> tables = new EnumMap<>(Destination.class);
    for (Destination destination : changedRows().keySet()) {
      tables.put(destination, SerializableTable.copyOf(tableOf(destination)));
    }
    return tables;
  }

  /** How rows come into the column order of each of them. */
  Map<Destination, RowOrder> orders() {
    Map<Destination, RowOrder> orders = new EnumMap<>(Destination.class);
    changedRows()
        .forEach(
            (destination, type) ->
                orders.put(destination, RowOrder.of(type, tableOf(destination))));
    return orders;
  }

  private Table tableOf(Destination destination) {
    return destination == Destination.COMPANION
        ? open.companion().orElseThrow().table()
        : open.table();
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
