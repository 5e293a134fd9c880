package io.sluice.k8s;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.apache.flink.kubernetes.operator.api.FlinkDeployment;

/**
 * Reads objects with the models of Kubernetes and of Flink's operator, which would put fields that
 * they do not know aside.
 */
final class StrictModels {

  private static final ObjectMapper MODELS = new ObjectMapper();
  private static final KubernetesSerialization READER = new KubernetesSerialization(MODELS, true);

  private StrictModels() {}

  /** Fields of an object that its model does not know; none only if it knows all. */
  static List<String> unknownFields(ObjectNode object) throws IllegalAccessException {
    HasMetadata read =
        object.path("kind").asText().equals("FlinkDeployment")
            ? READER.unmarshal(object.toString(), FlinkDeployment.class)
            : READER.unmarshal(object.toString());
    if (read instanceof GenericKubernetesResource) {
      throw new IllegalArgumentException("there is no model of " + read.getKind());
    }
    List<String> unknown = new ArrayList<>();
    collectAside(read, read.getKind(), unknown);
    if (!unknown.isEmpty()) {
      return unknown; // The models cannot always be written again with them.
    }
    collectLost(object, MODELS.valueToTree(read), read.getKind(), unknown);
    return unknown;
  }

  /** What the models keep as additional properties. */
  private static void collectAside(Object value, String path, List<String> unknown)
      throws IllegalAccessException {
    if (value instanceof Collection<?> elements) {
      for (Object element : elements) {
        collectAside(element, path + "[]", unknown);
      }
    } else if (value instanceof Map<?, ?> entries) {
      for (Map.Entry<?, ?> entry : entries.entrySet()) {
        collectAside(entry.getValue(), path + "." + entry.getKey(), unknown);
      }
    } else if (value != null && isModel(value.getClass())) {
      for (Class<?> type = value.getClass(); isModel(type); type = type.getSuperclass()) {
        for (Field field : type.getDeclaredFields()) {
          if (Modifier.isStatic(field.getModifiers())) {
            continue;
          }
          field.setAccessible(true);
          Object held = field.get(value);
          if (field.getName().equals("additionalProperties")) {
            ((Map<?, ?>) held).keySet().forEach(each -> unknown.add(path + "." + each));
          } else {
            collectAside(held, path + "." + field.getName(), unknown);
          }
        }
      }
    }
  }

  private static boolean isModel(Class<?> type) {
    return !type.isEnum()
        && (type.getName().startsWith("io.fabric8.kubernetes.api.model")
            || type.getName().startsWith("io.fabric8.kubernetes.client.CustomResource")
            || type.getName().startsWith("org.apache.flink.kubernetes.operator.api"));
  }

  /** What is not there any more when the model is written again. */
  private static void collectLost(JsonNode before, JsonNode after, String path, List<String> lost) {
    if (before.isObject()) {
      before
          .fields()
          .forEachRemaining(
              each -> {
                String name = path + "." + each.getKey();
                if (after.has(each.getKey())) {
                  collectLost(each.getValue(), after.get(each.getKey()), name, lost);
                } else {
                  lost.add(name);
                }
              });
    } else if (before.isArray()) {
      for (int i = 0; i < before.size(); i++) {
        collectLost(before.get(i), after.path(i), path + "[" + i + "]", lost);
      }
    }
  }
}
