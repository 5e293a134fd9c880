package io.sluice.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.sluice.cli.Console;
import io.sluice.cli.Sluice;
import io.sluice.errors.ErrorCode;
import io.sluice.sql.ParsedPipeline;
import io.sluice.sql.PipelineParser;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import picocli.CommandLine;

class DocsTest {

  private static final Pattern CODE_ROW =
      Pattern.compile("\\| `([A-Z0-9_]+)` \\| (\\w+) \\| (\\d) \\| (.*) \\|");
  private static final Pattern SETTING = Pattern.compile("\"(sluice\\.[a-z.-]+)\"");

  private static final Page README = Page.read(Page.ROOT.resolve("README.md"));

  @Test
  void everyErrorCodeStandsInTheTableWithItsKindExitCodeAndMeaning() {
    Map<String, String> documented = new LinkedHashMap<>();
    for (String line : Page.read(Page.ROOT.resolve("docs/error-codes.md")).lines()) {
      Matcher row = CODE_ROW.matcher(line);
      if (row.matches()) {
        String before =
            documented.put(
                row.group(1), row.group(2) + " " + row.group(3) + " " + row.group(4).strip());
        assertThat(before).as("%s stands in the table twice", row.group(1)).isNull();
      }
    }
    Map<String, String> actual = new LinkedHashMap<>();
    for (ErrorCode code : ErrorCode.values()) {
      int exitCode =
          switch (code.kind()) {
            case DEFINITION -> 2;
            case UPDATE -> 1;
          };
      String kind = code.kind().name().toLowerCase(Locale.ROOT);
      actual.put(code.name(), kind + " " + exitCode + " " + code.meaning());
    }
    assertThat(documented).containsExactlyInAnyOrderEntriesOf(actual);
  }

  @Test
  void codesThatPagesMentionExist() {
    Set<String> known = new TreeSet<>();
    Stream.of(ErrorCode.values()).map(Enum::name).forEach(known::add);
    Pattern errorBrackets = Pattern.compile("\\[([A-Z]+(?:_[A-Z0-9]+)+)] ");
    for (Page page : Page.all()) {
      Matcher matcher = errorBrackets.matcher(page.text());
      while (matcher.find()) {
        assertThat(known).as(page.name()).contains(matcher.group(1));
      }
    }
  }

  @TestFactory
  Stream<DynamicTest> everySqlBlockIsAPipelineThatParses() {
    List<DynamicTest> tests = new ArrayList<>();
    for (Page page : Page.all()) {
      for (Page.Block block : page.blocks()) {
        if (block.language().equals("sql")) {
          String place = page.name() + ":" + block.line();
          tests.add(DynamicTest.dynamicTest(place, () -> parses(place, block)));
        }
      }
    }
    assertThat(tests).hasSizeGreaterThan(4);
    return tests.stream();
  }

  private static void parses(String place, Page.Block block) {
    assertThatCode(
            () -> {
              ParsedPipeline parsed = PipelineParser.parse(place, block.text(), Map.of(), Map.of());
              assertThat(parsed.statements()).isNotEmpty();
            })
        .as(place)
        .doesNotThrowAnyException();
  }

  @TestFactory
  Stream<DynamicTest> everyRelativeLinkPointsToAFileAndAHeadingThatExist() {
    return Page.all().stream()
        .flatMap(
            page ->
                page.relativeLinks().stream()
                    .map(
                        link ->
                            DynamicTest.dynamicTest(
                                page.name() + " -> " + link, () -> leadsSomewhere(page, link))));
  }

  private static void leadsSomewhere(Page page, String link) {
    String file = link.replaceFirst("#.*", "");
    Path target = file.isEmpty() ? page.path() : page.path().resolveSibling(file).normalize();
    assertThat(target).as("%s in %s", link, page.name()).exists();
    assertThat(target).as("%s in %s", link, page.name()).startsWith(Page.ROOT);
    if (link.contains("#")) {
      assertThat(Page.read(target).anchors())
          .as("%s in %s", link, page.name())
          .contains(link.substring(link.indexOf('#') + 1));
    }
  }

  @Test
  void theIndexListsEveryPage() {
    Page index = Page.read(Page.ROOT.resolve("docs/README.md"));
    for (Page page : Page.all()) {
      Path docs = index.path().getParent();
      if (page.path().startsWith(docs) && !page.path().equals(index.path())) {
        assertThat(index.relativeLinks()).contains(docs.relativize(page.path()).toString());
      }
    }
  }

  @Test
  void theReadmeNamesEveryCommandAndOption() {
    Set<String> commands = new TreeSet<>();
    Set<String> options = new TreeSet<>();
    PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
    Console console = new Console(nowhere, nowhere, Map.of(), false);
    collect(Sluice.commandLine(console), commands, options);
    assertThat(commands).contains("run", "validate", "query", "status");
    assertThat(options).contains("--full-refresh-all", "--catalog-config", "--output");
    assertThat(commands).allSatisfy(name -> assertThat(README.text()).contains("sluice " + name));
    assertThat(options).allSatisfy(name -> assertThat(README.text()).contains("`" + name));
  }

  private static void collect(CommandLine command, Set<String> commands, Set<String> options) {
    for (CommandLine.Model.OptionSpec option : command.getCommandSpec().options()) {
      options.addAll(List.of(option.names()));
    }
    command
        .getSubcommands()
        .forEach(
            (name, each) -> {
              commands.add(name);
              collect(each, commands, options);
            });
  }

  @Test
  void theReadmeNamesEverySetting() throws Exception {
    Path source = Page.ROOT.resolve("jobs/src/main/java/io/sluice/pipeline/Settings.java");
    String declared = Files.readString(source).replaceAll("(?s)Set<String> LATER =.*?;", "");
    Matcher matcher = SETTING.matcher(declared);
    Set<String> settings = new TreeSet<>();
    while (matcher.find()) {
      settings.add(matcher.group(1));
    }
    assertThat(settings).contains("sluice.pipeline", "sluice.ties", "sluice.reread.");
    assertThat(settings).allSatisfy(key -> assertThat(README.text()).contains("`" + key));
  }

  @Test
  void theReadmeNamesEveryVariableOfTheLauncher() throws Exception {
    Matcher matcher =
        Pattern.compile("^# (SLUICE_[A-Z_]+) ", Pattern.MULTILINE)
            .matcher(Files.readString(Page.ROOT.resolve("sluice")));
    Set<String> variables = new TreeSet<>();
    while (matcher.find()) {
      variables.add(matcher.group(1));
    }
    assertThat(variables).contains("SLUICE_JAVA_OPTS", "SLUICE_LOG_DIR");
    assertThat(variables).allSatisfy(name -> assertThat(README.text()).contains("`" + name + "`"));
  }

  @Test
  void theReadmeNamesEveryPackage() throws Exception {
    for (String module : List.of("operators", "jobs")) {
      try (Stream<Path> packages =
          Files.list(Page.ROOT.resolve(module).resolve("src/main/java/io/sluice"))) {
        packages
            .filter(Files::isDirectory)
            .forEach(
                each ->
                    assertThat(README.text())
                        .contains("| `" + module + "` `io.sluice." + each.getFileName() + "` |"));
      }
    }
  }
}
