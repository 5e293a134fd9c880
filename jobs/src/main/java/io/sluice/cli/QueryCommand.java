package io.sluice.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.catalog.CatalogConnection;
import io.sluice.plan.AdHocQuery;
import io.sluice.plan.AsOf;
import io.sluice.run.FlinkRuntime;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import org.apache.flink.types.Row;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code sluice query}: a SQL query against the catalog. */
@Command(
    name = "query",
    mixinStandardHelpOptions = true,
    description = "Runs a query against the tables of the catalog.")
final class QueryCommand extends CatalogCommand {

  @Parameters(paramLabel = "SQL", description = "The query.")
  private String sql;

  @Option(
      names = "--as-of-system",
      paramLabel = "T",
      description = "Only what was believed at this system time (bitemporal tables).")
  private String system;

  @Option(
      names = "--as-of-business",
      paramLabel = "T",
      description = "Only what holds at this business time (SCD type 2 and bitemporal tables).")
  private String business;

  QueryCommand(Console console) {
    super(console);
  }

  /** A JSON object per row; an error is none of them. */
  @Override
  boolean printsOneObject() {
    return false;
  }

  @Override
  public Integer call() throws IOException {
    int parallelism = parallelism(settings());
    try (CatalogConnection connection = connect();
        FlinkRuntime runtime = FlinkRuntime.ofThisProcess(parallelism)) {
      AdHocQuery query =
          AdHocQuery.plan(
              connection,
              runtime.bounded(parallelism),
              settings(),
              sql,
              new AsOf(Optional.ofNullable(system), Optional.ofNullable(business)));
      switch (output) {
        case TEXT -> text(query);
        case JSON -> json(query);
      }
      console.out().flush();
      return 0;
    }
  }

  private void text(AdHocQuery query) {
    TextTable table = new TextTable(query.columns().toArray(String[]::new));
    query.forEach(
        row -> {
          Object[] values = new Object[row.getArity()];
          for (int i = 0; i < values.length; i++) {
            values[i] = Values.toText(row.getField(i));
          }
          table.row(values);
        });
    console.out().print(table);
  }

  /** One JSON object per line. */
  private void json(AdHocQuery query) throws IOException {
    ObjectMapper mapper = new ObjectMapper();
    List<String> columns = query.columns();
    query.forEach(
        row -> {
          try (JsonGenerator generator = mapper.createGenerator(console.out())) {
            generator.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
            write(generator, columns, row);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
          console.out().println();
        });
  }

  private static void write(JsonGenerator generator, List<String> columns, Row row)
      throws IOException {
    generator.writeStartObject();
    for (int i = 0; i < columns.size(); i++) {
      generator.writeFieldName(columns.get(i));
      Values.write(generator, row.getField(i));
    }
    generator.writeEndObject();
  }
}
