package io.sluice.k8s;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * An overlay as it would be applied.
 *
 * @param name of its folder
 * @param objects what it consists of
 */
record Overlay(String name, List<ObjectNode> objects) {

  static final Path FOLDER = Path.of("..", "k8s").toAbsolutePath().normalize();

  /** A pod that runs Sluice: its name and its container. */
  record Client(String name, JsonNode container, JsonNode pod) {

    List<String> arguments() {
      List<String> arguments = new ArrayList<>();
      container.path("args").forEach(each -> arguments.add(each.asText()));
      return arguments;
    }

    /** What stands behind the jar. */
    List<String> sluiceArguments() {
      List<String> all = arguments();
      return all.subList(all.indexOf("/opt/flink/lib/sluice-jobs.jar") + 1, all.size());
    }

    /** Flink's options, from {@code -Dkey=value}. */
    Map<String, String> flinkOptions() {
      Map<String, String> options = new LinkedHashMap<>();
      for (String argument : arguments()) {
        if (argument.startsWith("-D")) {
          String[] parts = argument.substring(2).split("=", 2);
          options.put(parts[0], parts[1]);
        }
      }
      return options;
    }
  }

  static Stream<Overlay> all() {
    return Stream.of("local", "production").map(Overlay::of);
  }

  static Overlay of(String name) {
    return new Overlay(name, Kustomization.build(FOLDER.resolve("overlays").resolve(name)));
  }

  Path folder() {
    return FOLDER.resolve("overlays").resolve(name);
  }

  List<ObjectNode> ofKind(String kind) {
    return objects.stream().filter(each -> each.path("kind").asText().equals(kind)).toList();
  }

  List<String> namesOf(String kind) {
    return ofKind(kind).stream().map(Overlay::nameOf).toList();
  }

  static String nameOf(JsonNode object) {
    return object.path("metadata").path("name").asText();
  }

  JsonNode session() {
    return ofKind("FlinkDeployment").get(0);
  }

  Map<String, String> flinkConfiguration() {
    Map<String, String> options = new LinkedHashMap<>();
    session()
        .path("spec")
        .path("flinkConfiguration")
        .fields()
        .forEachRemaining(each -> options.put(each.getKey(), each.getValue().asText()));
    return options;
  }

  Map<String, String> configMap(String name) {
    Map<String, String> data = new LinkedHashMap<>();
    ofKind("ConfigMap").stream()
        .filter(each -> nameOf(each).equals(name))
        .forEach(
            each ->
                each.path("data")
                    .fields()
                    .forEachRemaining(
                        entry -> data.put(entry.getKey(), entry.getValue().asText())));
    return data;
  }

  List<Client> clients() {
    List<Client> clients = new ArrayList<>();
    for (JsonNode each : ofKind("Deployment")) {
      clients.add(client(each, each.at("/spec/template/spec")));
    }
    for (JsonNode each : ofKind("CronJob")) {
      clients.add(client(each, each.at("/spec/jobTemplate/spec/template/spec")));
    }
    return clients;
  }

  private static Client client(JsonNode object, JsonNode pod) {
    return new Client(nameOf(object), pod.path("containers").get(0), pod);
  }
}
