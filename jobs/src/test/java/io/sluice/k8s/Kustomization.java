package io.sluice.k8s;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.zjsonpatch.JsonPatch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/**
 * Builds a folder as {@code kubectl kustomize} does, as far as the overlays here go: resources,
 * ConfigMaps from files, JSON patches, a namespace. Names of ConfigMaps get no hash. Anything else
 * in a kustomization is an error.
 */
final class Kustomization {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Set<String> KNOWN =
      Set.of("apiVersion", "kind", "namespace", "resources", "configMapGenerator", "patches");

  private final Path folder;
  private final JsonNode text;
  private final List<ObjectNode> objects = new ArrayList<>();

  private Kustomization(Path folder) {
    this.folder = folder;
    this.text = documents(folder.resolve("kustomization.yaml")).get(0);
    Set<String> unknown = new TreeSet<>();
    text.fieldNames().forEachRemaining(unknown::add);
    unknown.removeAll(KNOWN);
    if (!unknown.isEmpty()) {
      throw new IllegalArgumentException(folder + " uses what is not built here: " + unknown);
    }
  }

  /** The objects of a folder. */
  static List<ObjectNode> build(Path folder) {
    Kustomization built = new Kustomization(folder);
    built.addResources();
    built.text.path("configMapGenerator").forEach(built::generate);
    built.text.path("patches").forEach(built::patch);
    built.setNamespace();
    return built.objects;
  }

  /** The documents of a YAML file. */
  static List<JsonNode> documents(Path file) {
    return documents(read(file));
  }

  /** The documents of YAML text. */
  static List<JsonNode> documents(String text) {
    List<JsonNode> documents = new ArrayList<>();
    new Yaml(new SafeConstructor(new LoaderOptions()))
        .loadAll(text)
        .forEach(document -> documents.add(JSON.valueToTree(document)));
    return documents;
  }

  private void addResources() {
    for (JsonNode resource : text.path("resources")) {
      Path path = folder.resolve(resource.asText());
      if (Files.isDirectory(path)) {
        objects.addAll(build(path));
      } else {
        documents(path).forEach(each -> objects.add((ObjectNode) each));
      }
    }
  }

  private void generate(JsonNode generator) {
    Map<String, String> files = new TreeMap<>();
    generator
        .path("files")
        .forEach(file -> files.put(file.asText(), read(folder.resolve(file.asText()))));
    String name = generator.path("name").asText();
    if (generator.path("behavior").asText("create").equals("merge")) {
      ObjectNode data =
          (ObjectNode)
              objects.stream()
                  .filter(each -> isCalled(each, "ConfigMap", name))
                  .findFirst()
                  .orElseThrow()
                  .path("data");
      files.forEach(data::put);
    } else {
      ObjectNode made = JSON.createObjectNode().put("apiVersion", "v1").put("kind", "ConfigMap");
      made.putObject("metadata").put("name", name);
      files.forEach(made.putObject("data")::put);
      objects.add(made);
    }
  }

  private void patch(JsonNode patch) {
    String kind = patch.path("target").path("kind").asText();
    String name = patch.path("target").path("name").asText();
    JsonNode operations = documents(folder.resolve(patch.path("path").asText())).get(0);
    boolean applied = false;
    for (int i = 0; i < objects.size(); i++) {
      if (isCalled(objects.get(i), kind, name)) {
        objects.set(i, (ObjectNode) JsonPatch.apply(operations, objects.get(i)));
        applied = true;
      }
    }
    if (!applied) {
      throw new IllegalArgumentException(patch + " of " + folder + " has no target");
    }
  }

  private static boolean isCalled(JsonNode object, String kind, String name) {
    return object.path("kind").asText().equals(kind)
        && (name.isEmpty() || object.path("metadata").path("name").asText().equals(name));
  }

  private void setNamespace() {
    if (!text.has("namespace")) {
      return;
    }
    String namespace = text.path("namespace").asText();
    for (ObjectNode object : objects) {
      ((ObjectNode) object.path("metadata")).put("namespace", namespace);
      for (JsonNode subject : object.path("subjects")) {
        ((ObjectNode) subject).put("namespace", namespace);
      }
    }
  }

  static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
