package io.sluice.cli;

import io.sluice.catalog.CatalogConnection;
import io.sluice.errors.ErrorCode;
import io.sluice.errors.IoReason;
import io.sluice.errors.SluiceException;
import io.sluice.explain.BitemporalPicture;
import io.sluice.explain.KeyExplainer;
import io.sluice.explain.KeyExplanation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code sluice explain-key}: what became of the events of one key. */
@Command(
    name = "explain-key",
    mixinStandardHelpOptions = true,
    description =
        "Shows the rows of a key, the events that are remembered and what became of them.")
final class ExplainKeyCommand extends CatalogCommand {

  @Parameters(index = "0", paramLabel = "TABLE", description = "A table kept by AUTO CDC.")
  private String table;

  @Parameters(
      index = "1..*",
      arity = "1..*",
      paramLabel = "column=value",
      description = "The value of every key column; a.b=value for the field of a struct.")
  private Map<String, String> key;

  @Option(
      names = "--picture",
      paramLabel = "FILE",
      description = "Draw the rows of a bitemporal key into an SVG file.")
  private Path picture;

  ExplainKeyCommand(Console console) {
    super(console);
  }

  @Override
  public Integer call() {
    try (CatalogConnection connection = connect()) {
      KeyExplanation explanation =
          KeyExplainer.explain(connection, List.of(table.strip().split("\\.")), key);
      if (picture != null) {
        draw(explanation);
      }
      KeyPrinter printer = new KeyPrinter(console);
      switch (output) {
        case TEXT -> printer.text(explanation);
        case JSON -> printer.json(explanation);
      }
      return 0;
    }
  }

  private void draw(KeyExplanation explanation) {
    String svg = BitemporalPicture.of(explanation);
    try {
      Files.writeString(picture, svg);
    } catch (IOException e) {
      throw new SluiceException(
          ErrorCode.INVALID_CALL,
          "the picture " + picture + " cannot be written: " + IoReason.of(e),
          "Name a file in a folder that exists");
    }
  }
}
