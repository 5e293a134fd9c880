package io.sluice.k8s;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.junit.jupiter.api.Test;

class StrictModelsTest {

  private final Overlay overlay = Overlay.of("local");

  @Test
  void aFieldThatKubernetesDoesNotKnowIsFoundWhereverItStands() throws Exception {
    ObjectNode live = overlay.ofKind("Deployment").get(0).deepCopy();
    ((ObjectNode) live.at("/spec/template/spec")).put("terminationGracePeriod", 1);
    ((ObjectNode) live.at("/spec/template/spec/containers/0/resources")).put("request", 1);
    assertThat(StrictModels.unknownFields(live))
        .containsExactlyInAnyOrder(
            "Deployment.spec.template.spec.terminationGracePeriod",
            "Deployment.spec.template.spec.containers[].resources.request");
  }

  @Test
  void aFieldThatTheOperatorDoesNotKnowIsFoundWhereverItStands() throws Exception {
    ObjectNode session = overlay.session().deepCopy();
    ((ObjectNode) session.path("spec")).put("flinkVersion", "v1_20").put("account", "x");
    ((ObjectNode) session.at("/spec/taskManager/resource")).put("cpus", 1);
    assertThat(StrictModels.unknownFields(session))
        .containsExactlyInAnyOrder(
            "FlinkDeployment.spec.account", "FlinkDeployment.spec.taskManager.resource.cpus");
    ((ObjectNode) session.at("/spec/podTemplate/spec")).put("volume", 1);
    assertThat(StrictModels.unknownFields(session))
        .containsExactly("FlinkDeployment.spec.podTemplate.spec.volume");
  }

  @Test
  void aValueOfAnotherTypeIsRefused() {
    ObjectNode live = overlay.ofKind("Deployment").get(0).deepCopy();
    ((ObjectNode) live.path("spec")).put("replicas", "one");
    assertThatThrownBy(() -> StrictModels.unknownFields(live))
        .hasStackTraceContaining("not a valid `java.lang.Integer` value");
  }
}
