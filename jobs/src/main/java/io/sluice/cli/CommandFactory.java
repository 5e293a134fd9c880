package io.sluice.cli;

import picocli.CommandLine;
import picocli.CommandLine.IFactory;

/** Hands the console to the commands. */
final class CommandFactory implements IFactory {

  private final Console console;
  private final IFactory others = CommandLine.defaultFactory();

  CommandFactory(Console console) {
    this.console = console;
  }

  @Override
  public <K> K create(Class<K> type) throws Exception {
    if (CatalogCommand.class.isAssignableFrom(type)) {
      return type.getDeclaredConstructor(Console.class).newInstance(console);
    }
    return others.create(type);
  }
}
