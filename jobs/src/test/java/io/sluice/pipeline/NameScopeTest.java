package io.sluice.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.sql.QualifiedName;
import org.junit.jupiter.api.Test;

class NameScopeTest {

  private final NameScope scope = NameScope.initial("local", "default");

  @Test
  void short_names_lie_in_the_current_namespace_of_the_own_catalog() {
    assertThat(scope.full(QualifiedName.of("t"))).isEqualTo(QualifiedName.of("default", "t"));
    assertThat(scope.full(QualifiedName.of("ns", "t"))).isEqualTo(QualifiedName.of("ns", "t"));
    assertThat(scope.full(QualifiedName.of("local", "ns", "t")))
        .isEqualTo(QualifiedName.of("ns", "t"));
    assertThat(scope.full(QualifiedName.of("other", "ns", "t")))
        .isEqualTo(QualifiedName.of("other", "ns", "t"));
  }

  @Test
  void use_moves_to_another_namespace_or_catalog() {
    NameScope sales = scope.afterUse(QualifiedName.of("sales"), false);
    assertThat(sales.full(QualifiedName.of("t"))).isEqualTo(QualifiedName.of("sales", "t"));
    NameScope other = scope.afterUse(QualifiedName.of("other"), true);
    assertThat(other.full(QualifiedName.of("t")))
        .isEqualTo(QualifiedName.of("other", "default", "t"));
    NameScope both = scope.afterUse(QualifiedName.of("other", "x"), false);
    assertThat(both.full(QualifiedName.of("t"))).isEqualTo(QualifiedName.of("other", "x", "t"));
  }
}
