package io.sluice.k8s;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarFile;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class ImageIT {

  private static final Path PROJECT = Overlay.FOLDER.getParent();
  private static final Pattern COPY = Pattern.compile("(?m)^COPY (?:--chown=\\S+ )?(\\S+) (\\S+)$");
  private static final Pattern BUNDLE = Pattern.compile("iceberg-aws-bundle-([0-9.]+)\\.jar");

  private final String dockerfile = Kustomization.read(Overlay.FOLDER.resolve("Dockerfile"));

  @Test
  void whatTheImageCopiesIsThereAfterABuildAndPartOfItsContext() throws Exception {
    List<MatchResult> copies = COPY.matcher(dockerfile).results().toList();
    assertThat(copies).hasSize(1);
    String jar = copies.get(0).group(1);
    assertThat(copies.get(0).group(2)).isEqualTo("/opt/flink/lib/sluice-jobs.jar");
    assertThat(Files.readAllLines(Overlay.FOLDER.resolve("Dockerfile.dockerignore")))
        .containsExactly("*", "!" + jar);
    try (JarFile file = new JarFile(PROJECT.resolve(jar).toFile())) {
      assertThat(file.getEntry("io/sluice/cli/Sluice.class")).isNotNull();
      assertThat(file.getEntry("org/apache/iceberg/aws/s3/S3FileIO.class")).isNotNull();
    }
  }

  @Test
  void theBundleForObjectStoresIsOfTheVersionOfIceberg() {
    Matcher bundle = BUNDLE.matcher(dockerfile);
    assertThat(bundle.find()).isTrue();
    assertThat(Kustomization.read(PROJECT.resolve("pom.xml")))
        .contains("<iceberg.version>" + bundle.group(1) + "</iceberg.version>");
  }
}
