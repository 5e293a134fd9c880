package io.sluice.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.SluiceException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.iceberg.catalog.Namespace;
import org.apache.iceberg.catalog.TableIdentifier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CatalogConfigTest {

  private static final String MINIMAL =
      """
      name: mine
      catalog-impl: org.apache.iceberg.hadoop.HadoopCatalog
      properties:
        warehouse: ${WAREHOUSE}
        other: ${OTHER:-fallback}
      """;

  @Test
  void variables_come_from_the_environment_or_their_default() {
    CatalogConfig config =
        CatalogConfig.parse("c.yaml", MINIMAL, Map.of("WAREHOUSE", "s3://bucket/w"));
    assertThat(config.name()).isEqualTo("mine");
    assertThat(config.defaultNamespace()).isEqualTo("default");
    assertThat(config.properties())
        .containsEntry("warehouse", "s3://bucket/w")
        .containsEntry("other", "fallback");
  }

  @Test
  void a_relative_warehouse_becomes_absolute() {
    CatalogConfig config = CatalogConfig.parse("c.yaml", MINIMAL, Map.of("WAREHOUSE", "./w"));
    assertThat(config.properties().get("warehouse"))
        .isEqualTo(Path.of("w").toAbsolutePath().toString());
  }

  @Test
  void what_is_wrong_is_told_with_the_file() {
    for (String wrong :
        List.of(
            MINIMAL, // ${WAREHOUSE} has no value
            "name: [",
            "just text",
            "name: x",
            "catalog-impl: a\nproperties: text",
            "catalog-impl: a\nwarehouses: b")) {
      assertThatThrownBy(() -> CatalogConfig.parse("c.yaml", wrong, Map.of()))
          .isInstanceOf(SluiceException.class)
          .hasMessageContaining("c.yaml")
          .extracting(e -> ((SluiceException) e).code())
          .isEqualTo(ErrorCode.CATALOG_CONFIG);
    }
  }

  @Test
  void an_unknown_catalog_class_is_a_configuration_error() {
    CatalogConfig config = new CatalogConfig("x", "no.such.Catalog", "default", Map.of());
    assertThatThrownBy(() -> CatalogConnection.open(config))
        .isInstanceOf(SluiceException.class)
        .extracting(e -> ((SluiceException) e).code())
        .isEqualTo(ErrorCode.CATALOG_CONFIG);
  }

  @Test
  void both_shipped_configurations_open_and_name_tables(@TempDir Path folder) {
    Map<String, String> environment = Map.of("SLUICE_WAREHOUSE", folder.toString());
    for (CatalogConfig config :
        List.of(
            CatalogConfig.local(environment),
            CatalogConfig.load(Path.of("../catalog-config/hadoop.yaml"), environment))) {
      try (CatalogConnection connection = CatalogConnection.open(config)) {
        assertThat(connection.identifier(List.of("t")))
            .isEqualTo(TableIdentifier.of("default", "t"));
        assertThat(connection.identifier(List.of("ns", "t")))
            .isEqualTo(TableIdentifier.of("ns", "t"));
        assertThat(connection.identifier(List.of(config.name(), "ns", "t")))
            .isEqualTo(TableIdentifier.of("ns", "t"));
        assertThat(connection.catalog().listTables(Namespace.of("default"))).isEmpty();
      }
    }
  }

  @Test
  void commands_that_are_the_first_ones_at_once_all_get_the_catalog(@TempDir Path folder)
      throws Exception {
    int commands = 8;
    ExecutorService threads = Executors.newFixedThreadPool(commands);
    try {
      for (int warehouse = 0; warehouse < 10; warehouse++) {
        CatalogConfig config =
            CatalogConfig.local(
                Map.of("SLUICE_WAREHOUSE", folder.resolve("w" + warehouse).toString()));
        CyclicBarrier together = new CyclicBarrier(commands);
        List<Callable<Boolean>> calls =
            Collections.nCopies(
                commands,
                () -> {
                  together.await();
                  try (CatalogConnection connection = CatalogConnection.open(config)) {
                    return connection.catalog().tableExists(TableIdentifier.of("default", "none"));
                  }
                });
        for (Future<Boolean> found : threads.invokeAll(calls)) {
          assertThat(found.get()).isFalse();
        }
      }
    } finally {
      threads.shutdownNow();
    }
  }
}
