package io.sluice.catalog;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.IoReason;
import io.sluice.errors.SluiceException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;

/**
 * One file of {@code catalog-config}.
 *
 * @param name the catalog's name in three-part table names
 * @param implementation class name of the Iceberg catalog
 * @param defaultNamespace namespace of one-part table names
 * @param properties handed to the Iceberg catalog; a warehouse without a scheme is absolute here
 */
public record CatalogConfig(
    String name, String implementation, String defaultNamespace, Map<String, String> properties) {

  private static final String BUNDLED = "/catalog-config/local.yaml";
  private static final Pattern VARIABLE =
      Pattern.compile("\\$\\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?}");

  public CatalogConfig {
    properties = Map.copyOf(properties);
  }

  /** The JDBC catalog on a SQLite file under {@code ${SLUICE_WAREHOUSE:-./warehouse}}. */
  public static CatalogConfig local(Map<String, String> environment) {
    try (InputStream bundled = CatalogConfig.class.getResourceAsStream(BUNDLED)) {
      return parse(
          "catalog-config/local.yaml",
          new String(bundled.readAllBytes(), StandardCharsets.UTF_8),
          environment);
    } catch (IOException e) {
      throw new IllegalStateException("the program lacks its own resource " + BUNDLED, e);
    }
  }

  /**
   * Reads a configuration file.
   *
   * @throws SluiceException CATALOG_CONFIG where it is missing or wrong
   */
  public static CatalogConfig load(Path file, Map<String, String> environment) {
    try {
      return parse(file.toString(), Files.readString(file), environment);
    } catch (IOException e) {
      throw invalid(
          file.toString(),
          "cannot be read: " + IoReason.of(e),
          "Check the path and its permissions");
    }
  }

  static CatalogConfig parse(String file, String text, Map<String, String> environment) {
    Object root;
    try {
      root = new Yaml(new SafeConstructor(new LoaderOptions())).load(text);
    } catch (YAMLException e) {
      throw invalid(file, "is no YAML: " + reason(e), "Compare it with catalog-config/");
    }
    if (!(root instanceof Map<?, ?> fields)) {
      throw invalid(file, "is not a mapping", "Compare it with the files in catalog-config/");
    }
    Map<String, String> known = new TreeMap<>();
    Map<String, String> properties = new LinkedHashMap<>();
    fields.forEach(
        (key, value) -> {
          switch (String.valueOf(key)) {
            case "name", "catalog-impl", "default-namespace" ->
                known.put(String.valueOf(key), resolve(file, String.valueOf(value), environment));
            case "properties" -> readProperties(file, value, environment, properties);
            default ->
                throw invalid(
                    file,
                    "has an unknown entry '" + key + "'",
                    "Known entries are name, catalog-impl, default-namespace and properties");
          }
        });
    String implementation = known.get("catalog-impl");
    if (implementation == null) {
      throw invalid(file, "names no catalog-impl", "Name the class of an Iceberg catalog");
    }
    properties.computeIfPresent("warehouse", (key, value) -> absolute(value));
    return new CatalogConfig(
        known.getOrDefault("name", "sluice"),
        implementation,
        known.getOrDefault("default-namespace", "default"),
        properties);
  }

  private static String reason(YAMLException e) {
    if (e instanceof MarkedYAMLException marked && marked.getProblemMark() != null) {
      return "line "
          + (marked.getProblemMark().getLine() + 1)
          + ", column "
          + (marked.getProblemMark().getColumn() + 1)
          + ": "
          + marked.getProblem();
    }
    return e.getMessage().lines().findFirst().orElse("");
  }

  private static void readProperties(
      String file, Object value, Map<String, String> environment, Map<String, String> into) {
    if (!(value instanceof Map<?, ?> entries)) {
      throw invalid(file, "has properties that are not a mapping", "Write `key: value` lines");
    }
    entries.forEach(
        (key, text) ->
            into.put(
                String.valueOf(key),
                resolve(file, text == null ? "" : String.valueOf(text), environment)));
  }

  private static String resolve(String file, String text, Map<String, String> environment) {
    Matcher matcher = VARIABLE.matcher(text);
    StringBuilder resolved = new StringBuilder();
    while (matcher.find()) {
      String value = environment.get(matcher.group(1));
      if (value == null || value.isEmpty()) {
        value = matcher.group(2);
      }
      if (value == null) {
        throw invalid(
            file,
            "uses ${" + matcher.group(1) + "}, which the environment does not have",
            "Set the variable or write ${" + matcher.group(1) + ":-default}");
      }
      matcher.appendReplacement(resolved, Matcher.quoteReplacement(value));
    }
    matcher.appendTail(resolved);
    return resolved.toString();
  }

  /** Table metadata keeps full paths, so a relative warehouse would break with the next folder. */
  private static String absolute(String warehouse) {
    boolean hasScheme = warehouse.matches("[A-Za-z][A-Za-z0-9+.-]*:.*");
    return hasScheme ? warehouse : Path.of(warehouse).toAbsolutePath().normalize().toString();
  }

  private static SluiceException invalid(String file, String what, String remedy) {
    return new SluiceException(ErrorCode.CATALOG_CONFIG, file + " " + what, remedy);
  }
}
