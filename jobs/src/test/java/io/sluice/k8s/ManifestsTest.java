package io.sluice.k8s;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.catalog.CatalogConfig;
import io.sluice.cli.Console;
import io.sluice.cli.Sluice;
import io.sluice.k8s.Overlay.Client;
import io.sluice.pipeline.Pipeline;
import io.sluice.pipeline.PipelineBuilder;
import io.sluice.sql.PipelineParser;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.iceberg.catalog.Catalog;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

class ManifestsTest {

  private static final FlinkOptions OPTIONS = new FlinkOptions();

  @ParameterizedTest
  @MethodSource("io.sluice.k8s.Overlay#all")
  void everyFieldIsOneThatKubernetesOrTheOperatorKnows(Overlay overlay) throws Exception {
    assertThat(overlay.session().at("/spec/flinkVersion").asText()).isEqualTo("v2_1");
    for (ObjectNode object : overlay.objects()) {
      ObjectNode read = object.deepCopy();
      if (object == overlay.session()) {
        // The newest models in Maven Central are those of operator 1.10, which ends before 2.1.
        ((ObjectNode) read.path("spec")).put("flinkVersion", "v1_20");
      }
      assertThat(StrictModels.unknownFields(read)).as(Overlay.nameOf(object)).isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("io.sluice.k8s.Overlay#all")
  void whatIsNamedIsThere(Overlay overlay) {
    List<JsonNode> pods = new ArrayList<>(overlay.clients().stream().map(Client::pod).toList());
    pods.add(overlay.session().at("/spec/podTemplate/spec"));
    for (JsonNode pod : pods) {
      Set<String> volumes = new HashSet<>();
      for (JsonNode volume : pod.path("volumes")) {
        volumes.add(volume.path("name").asText());
        if (volume.has("configMap")) {
          assertThat(overlay.namesOf("ConfigMap")).contains(volume.at("/configMap/name").asText());
        } else {
          assertThat(overlay.namesOf("PersistentVolumeClaim"))
              .contains(volume.at("/persistentVolumeClaim/claimName").asText());
        }
      }
      Set<String> mounted = new HashSet<>();
      for (JsonNode container : pod.path("containers")) {
        container.path("volumeMounts").forEach(each -> mounted.add(each.path("name").asText()));
        for (JsonNode from : container.path("envFrom")) {
          assertThat(overlay.namesOf("ConfigMap")).contains(from.at("/configMapRef/name").asText());
        }
        for (JsonNode variable : container.path("env")) {
          JsonNode key = variable.at("/valueFrom/configMapKeyRef");
          assertThat(overlay.configMap(key.path("name").asText()))
              .containsKey(key.path("key").asText());
        }
      }
      assertThat(mounted).isEqualTo(volumes);
      if (pod.has("serviceAccountName")) {
        assertThat(overlay.namesOf("ServiceAccount"))
            .contains(pod.path("serviceAccountName").asText());
      }
    }
    assertThat(overlay.namesOf("ServiceAccount"))
        .contains(overlay.session().at("/spec/serviceAccount").asText());
    JsonNode binding = overlay.ofKind("RoleBinding").get(0);
    assertThat(overlay.namesOf("Role")).contains(binding.at("/roleRef/name").asText());
    assertThat(binding.at("/subjects/0/name").asText())
        .isEqualTo(overlay.session().at("/spec/serviceAccount").asText());
  }

  @ParameterizedTest
  @MethodSource("io.sluice.k8s.Overlay#all")
  void everyOptionOfFlinkExistsAndHasAValueOfItsType(Overlay overlay) {
    assertThat(OPTIONS.size()).isGreaterThan(400);
    assertThat(overlay.flinkConfiguration())
        .as("where the jar is in Flink's lib")
        .containsEntry("classloader.resolve-order", "parent-first");
    assertOptions(overlay.flinkConfiguration());
    for (Client client : overlay.clients()) {
      assertOptions(client.flinkOptions());
      assertThat(client.arguments())
          .startsWith("flink", "run", "--target", "remote")
          .containsSubsequence("-c", Sluice.class.getName(), "/opt/flink/lib/sluice-jobs.jar");
      assertThat(client.flinkOptions())
          .containsEntry("rest.address", Overlay.nameOf(overlay.session()) + "-rest")
          .containsEntry("rest.port", "8081");
    }
  }

  private static void assertOptions(Map<String, String> options) {
    options.forEach(
        (key, value) -> {
          assertThat(OPTIONS.contains(key)).as("option %s of Flink", key).isTrue();
          assertThatCode(() -> OPTIONS.read(key, value)).as(key).doesNotThrowAnyException();
        });
  }

  @ParameterizedTest
  @MethodSource("io.sluice.k8s.Overlay#all")
  void clientsAndClusterAgreeAboutParallelismAndTheFolderOfSavepoints(Overlay overlay) {
    Map<String, String> cluster = overlay.flinkConfiguration();
    for (Client client : overlay.clients()) {
      client
          .flinkOptions()
          .forEach(
              (key, value) -> {
                if (cluster.containsKey(key)
                    && (client.name().equals("sluice-live") || !key.startsWith("parallelism"))) {
                  assertThat(value).as("%s of %s", key, client.name()).isEqualTo(cluster.get(key));
                }
              });
    }
    assertThat(live(overlay).flinkOptions()).containsKey("execution.checkpointing.savepoint-dir");
  }

  @ParameterizedTest
  @MethodSource("io.sluice.k8s.Overlay#all")
  void everyClientIsACallOfSluiceWithFilesThatAreMounted(Overlay overlay) {
    Console console =
        new Console(
            new PrintWriter(Writer.nullWriter()),
            new PrintWriter(Writer.nullWriter()),
            Map.of(),
            false);
    Set<String> commands = new TreeSet<>();
    for (Client client : overlay.clients()) {
      List<String> arguments = client.sluiceArguments();
      CommandLine.ParseResult parsed =
          Sluice.commandLine(console).parseArgs(arguments.toArray(String[]::new));
      commands.add(parsed.subcommand().commandSpec().name());
      for (String argument : arguments) {
        if (argument.startsWith("/")) {
          Path file = Path.of(argument);
          String volume = volumeAt(client, file.getParent().toString());
          String configMap = configMapOf(client, volume);
          assertThat(overlay.configMap(configMap)).containsKey(file.getFileName().toString());
        }
      }
    }
    assertThat(commands).containsExactly("maintain", "run");
    assertThat(live(overlay).sluiceArguments()).contains("--continuous", "--take-over");
  }

  private static String volumeAt(Client client, String folder) {
    for (JsonNode mount : client.container().path("volumeMounts")) {
      if (mount.path("mountPath").asText().equals(folder)) {
        return mount.path("name").asText();
      }
    }
    throw new AssertionError(client.name() + " mounts nothing at " + folder);
  }

  private static String configMapOf(Client client, String volume) {
    for (JsonNode each : client.pod().path("volumes")) {
      if (each.path("name").asText().equals(volume)) {
        return each.at("/configMap/name").asText();
      }
    }
    throw new AssertionError(client.name() + " has no volume " + volume);
  }

  @ParameterizedTest
  @MethodSource("io.sluice.k8s.Overlay#all")
  void onlyOneClientOfAPipelineRunsAtATimeAndHasTimeToStop(Overlay overlay) {
    JsonNode live = overlay.ofKind("Deployment").get(0);
    assertThat(live.at("/spec/replicas").asInt()).isEqualTo(1);
    assertThat(live.at("/spec/strategy/type").asText()).isEqualTo("Recreate");
    assertThat(live.at("/spec/template/spec/terminationGracePeriodSeconds").asInt())
        .isGreaterThanOrEqualTo(60);
    assertThat(overlay.ofKind("CronJob"))
        .hasSize(2)
        .allSatisfy(
            job -> {
              assertThat(job.at("/spec/concurrencyPolicy").asText()).isEqualTo("Forbid");
              assertThat(job.at("/spec/jobTemplate/spec/activeDeadlineSeconds").asInt())
                  .isBetween(1, 3600);
            });
  }

  @ParameterizedTest
  @MethodSource("io.sluice.k8s.Overlay#all")
  void catalogAndPipelinesAreWholeWithTheEnvironmentOfTheClients(Overlay overlay)
      throws ClassNotFoundException {
    Map<String, String> environment = overlay.configMap("sluice-environment");
    CatalogConfig catalog =
        CatalogConfig.load(overlay.folder().resolve("catalog.yaml"), environment);
    assertThat(Catalog.class).isAssignableFrom(Class.forName(catalog.implementation()));
    Map<String, String> files = overlay.configMap("sluice-pipelines");
    assertThat(files).containsOnlyKeys("hourly.sql", "live.sql");
    Set<String> tables = new HashSet<>();
    files.forEach(
        (name, sql) -> {
          Pipeline pipeline =
              PipelineBuilder.build(
                  PipelineParser.parse(name, sql, Map.of(), environment),
                  Map.of(),
                  catalog.name(),
                  catalog.defaultNamespace());
          assertThat(pipeline.name()).isEqualTo(name.replace(".sql", ""));
          assertThat(pipeline.tables())
              .isNotEmpty()
              .allSatisfy(
                  table ->
                      assertThat(tables.add(table.name().last()))
                          .as("table %s of one pipeline only", table.name())
                          .isTrue());
        });
  }

  @ParameterizedTest
  @MethodSource("io.sluice.k8s.Overlay#all")
  void allPodsRunTheImageOfTheDockerfile(Overlay overlay) {
    String dockerfile = Kustomization.read(Overlay.FOLDER.resolve("Dockerfile"));
    String image = overlay.session().at("/spec/image").asText();
    assertThat(dockerfile).contains("docker build -f k8s/Dockerfile -t " + image + " .");
    assertThat(overlay.clients())
        .extracting(client -> client.container().path("image").asText())
        .containsOnly(image);
    assertThat(dockerfile).contains("FROM flink:2.1-java17");
  }

  private static Client live(Overlay overlay) {
    return overlay.clients().stream()
        .filter(client -> client.name().equals("sluice-live"))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void theLocalCatalogIsTheOneOfTheProgram() {
    assertThat(Overlay.of("local").folder().resolve("catalog.yaml"))
        .hasSameTextualContentAs(Path.of("..", "catalog-config", "local.yaml"));
  }
}
