package io.sluice.kafka;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.streaming.connectors.kafka.table.KafkaDynamicSource;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.connector.source.DynamicTableSource;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.factories.DynamicTableSourceFactory;
import org.apache.flink.table.factories.FactoryUtil;
import org.apache.flink.util.InstantiationUtil;

/**
 * Tables of Flink's Kafka connector whose positions come from a plan. The connector by itself would
 * go on with the oldest message where an offset is gone, and fails where it finds a partition that
 * the plan does not name.
 */
public final class TopicTableFactory implements DynamicTableSourceFactory {

  private static final String IDENTIFIER = "sluice-kafka";
  private static final String PLAN = "sluice.plan";

  /**
   * What to put above the options of a table with the connector {@code kafka}.
   *
   * @param planned says which partitions are read, from where and how far, see {@link TopicSource}
   */
  public static Map<String, String> options(KafkaSource<RowData> planned) {
    try {
      byte[] plan = InstantiationUtil.serializeObject(planned);
      return Map.of("connector", IDENTIFIER, PLAN, Base64.getEncoder().encodeToString(plan));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public String factoryIdentifier() {
    return IDENTIFIER;
  }

  @Override
  public Set<ConfigOption<?>> requiredOptions() {
    return Set.of();
  }

  @Override
  public Set<ConfigOption<?>> optionalOptions() {
    return Set.of();
  }

  @Override
  public DynamicTableSource createDynamicTableSource(Context context) {
    Map<String, String> options = new HashMap<>(context.getCatalogTable().getOptions());
    String encoded = options.remove(PLAN);
    if (encoded == null) {
      throw new ValidationException("There is nothing planned. Write 'connector' = 'kafka'.");
    }
    byte[] plan = Base64.getDecoder().decode(encoded);
    options.put("connector", "kafka");
    // Of all modes only this one lets a reader fail at an offset that is gone. The group is never
    // asked for, because the plan has all offsets.
    options.put("scan.startup.mode", "group-offsets");
    options.put("properties.auto.offset.reset", "none");
    if (options.putIfAbsent("properties.group.id", "sluice") == null) {
      options.put("properties.commit.offsets.on.checkpoint", "false");
    }
    DynamicTableSource table =
        FactoryUtil.createDynamicTableSource(
            null,
            context.getObjectIdentifier(),
            context.getCatalogTable().copy(options),
            context.getEnrichmentOptions(),
            context.getConfiguration(),
            context.getClassLoader(),
            context.isTemporary());
    try {
      return new TopicTable(
          (KafkaDynamicSource) table,
          InstantiationUtil.deserializeObject(plan, getClass().getClassLoader()));
    } catch (IOException | ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }
}
