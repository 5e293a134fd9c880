package io.sluice.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.errors.ErrorCode;
import io.sluice.errors.SluiceException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GlobTest {

  /** Every text of up to the given length over an alphabet. */
  private static List<String> texts(String alphabet, int maxLength) {
    List<String> all = new ArrayList<>(List.of(""));
    int from = 0;
    for (int length = 1; length <= maxLength; length++) {
      int to = all.size();
      for (int index = from; index < to; index++) {
        for (char character : alphabet.toCharArray()) {
          all.add(all.get(index) + character);
        }
      }
      from = to;
    }
    return all;
  }

  /** Stars and question marks by their definition. */
  private static boolean matches(String glob, String name) {
    if (glob.isEmpty()) {
      return name.isEmpty();
    }
    if (glob.charAt(0) == '*') {
      return matches(glob.substring(1), name)
          || (!name.isEmpty() && matches(glob, name.substring(1)));
    }
    return !name.isEmpty()
        && (glob.charAt(0) == '?' || glob.charAt(0) == name.charAt(0))
        && matches(glob.substring(1), name.substring(1));
  }

  @Test
  void everyShortGlobMatchesWhatItsDefinitionSays() {
    List<String> names = texts("ab.", 4);
    for (String glob : texts("ab.*?", 4)) {
      var pattern = Glob.compile(glob, "test");
      for (String name : names) {
        assertThat(pattern.matcher(name).matches())
            .as("%s on %s", glob, name)
            .isEqualTo(matches(glob, name));
      }
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "[ab]x | ax bx | cx x abx",
        "[a-c] | a b c | d -",
        "[^a-c] | d - ^ | a b c",
        "[!a] | b ! | a",
        "[]a] | ] a | b",
        "[a&&b] | a b & | c",
        "[.] | . | a",
        "{a,b}c | ac bc | c abc {a,b}c",
        "{a,{b,c}d} | a bd cd | b c ad",
        "{,x}y | y xy | xxy",
        "a\\*b | a*b | axb ab",
        "a\\{b | a{b | ab",
        "a.b | a.b | axb",
        "(ab)+$ | (ab)+$ | a ab",
        "日? | 日本 | 日 日本語",
      })
  void setsAlternativesAndEscapesAreThoseOfHadoop(String glob, String inside, String outside) {
    var pattern = Glob.compile(glob, "test");

    assertThat(inside.split(" ")).allMatch(name -> pattern.matcher(name).matches());
    assertThat(outside.split(" ")).noneMatch(name -> pattern.matcher(name).matches());
  }

  @Test
  void alternativesMayReachAcrossFolders() {
    assertThat(Glob.expand("/a/{b,c/{d,e}}/f")).containsExactly("/a/b/f", "/a/c/d/f", "/a/c/e/f");
    assertThat(Glob.expand("/a/\\{b,c\\}")).containsExactly("/a/\\{b,c\\}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a{b", "a{b,{c}", "a[b", "a[", "a}b", "a\\"})
  void anUnclosedGlobIsAnErrorThatNamesIt(String glob) {
    assertThatThrownBy(() -> Glob.compile(glob, "test"))
        .isInstanceOfSatisfying(
            SluiceException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_OPTION))
        .hasMessageContaining(glob);
  }

  @Test
  void aGlobThatStandsForTooManyPathsIsRefused() {
    assertThatThrownBy(() -> Glob.expand("{a,b,c,d,e,f,g,h,i,j}".repeat(8)))
        .hasMessageContaining("more than 10000 paths");
  }
}
