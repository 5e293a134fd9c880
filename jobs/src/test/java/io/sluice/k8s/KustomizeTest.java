package io.sluice.k8s;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What these tests build is what the real program builds, where it is installed. */
class KustomizeTest {

  private static final ObjectMapper JSON = new ObjectMapper();

  @ParameterizedTest
  @MethodSource("io.sluice.k8s.Overlay#all")
  void kubectlBuildsTheSameObjects(Overlay overlay) throws Exception {
    Process kubectl;
    try {
      kubectl =
          new ProcessBuilder("kubectl", "kustomize", overlay.folder().toString())
              .redirectErrorStream(true)
              .start();
    } catch (IOException e) {
      assumeTrue(false, "kubectl is not installed");
      return;
    }
    String built = new String(kubectl.getInputStream().readAllBytes());
    assertThat(kubectl.waitFor()).as(built).isZero();
    Map<String, JsonNode> wanted = new TreeMap<>();
    for (JsonNode object : Kustomization.documents(withoutHashes(built))) {
      wanted.put(key(object), object);
    }
    Map<String, JsonNode> ours = new TreeMap<>();
    // Texts of the same form: numbers of equal value are of different classes else.
    overlay.objects().forEach(each -> ours.put(key(each), tree(each)));
    assertThat(ours).isEqualTo(wanted);
  }

  /** The names of generated ConfigMaps end in a hash of what they hold. */
  private static String withoutHashes(String built) {
    return built.replaceAll("(name: sluice-(?:pipelines|catalog))-[a-z0-9]{10}\\b", "$1");
  }

  private static JsonNode tree(JsonNode object) {
    try {
      return JSON.readTree(object.toString());
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String key(JsonNode object) {
    return object.path("kind").asText() + " " + Overlay.nameOf(object);
  }
}
