package io.sluice.sql;

import io.sluice.errors.SourceLocation;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Builds what tables and views declare: columns, constraints, options, schedules. */
final class TableBuilder {

  private final Fragments fragments;

  TableBuilder(Fragments fragments) {
    this.fragments = fragments;
  }

  /**
   * @param typesNeeded whether a column without a type is an error
   */
  TableParts parts(
      StatementParser.ColumnListContext list,
      List<StatementParser.TableOptionContext> options,
      boolean typesNeeded) {
    List<ColumnDefinition> columns = columns(list);
    if (typesNeeded) {
      columns.stream().filter(column -> column.typeText().isEmpty()).forEach(this::refuseUntyped);
    }
    List<PartitionField> partition = new ArrayList<>();
    Map<String, String> properties = new LinkedHashMap<>();
    Optional<String> comment = Optional.empty();
    Optional<Schedule> schedule = Optional.empty();
    Set<String> seen = new HashSet<>();
    for (StatementParser.TableOptionContext option : options) {
      String word = fragments.token(option).upper();
      if (!seen.add(option.schedule() == null ? word : "SCHEDULE or TRIGGER")) {
        fragments.duplicate(fragments.at(option), "the clause " + word);
      } else if (option.PARTITIONED() != null) {
        option
            .partitionField()
            .forEach(
                field ->
                    partition.add(new PartitionField(fragments.at(field), fragments.text(field))));
      } else if (option.COMMENT() != null) {
        comment = fragments.optionalText(option.text());
      } else if (option.schedule() != null) {
        schedule = Optional.of(schedule(option.schedule()));
      } else {
        properties.putAll(fragments.properties(option.properties()));
      }
    }
    return new TableParts(columns, constraints(list), partition, comment, properties, schedule);
  }

  List<ColumnDefinition> columns(StatementParser.ColumnListContext list) {
    List<ColumnDefinition> columns = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (StatementParser.ColumnListElementContext element : elements(list)) {
      if (element.columnDefinition() != null) {
        ColumnDefinition column = column(element.columnDefinition());
        columns.add(column);
        if (!names.add(column.name().toLowerCase(Locale.ROOT))) {
          fragments.duplicate(column.at(), "the column '" + column.name() + "'");
        }
      }
    }
    return columns;
  }

  List<Constraint> constraints(StatementParser.ColumnListContext list) {
    List<Constraint> constraints = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (StatementParser.ColumnListElementContext element : elements(list)) {
      if (element.constraint() != null) {
        Constraint constraint = constraint(element.constraint());
        constraints.add(constraint);
        if (!names.add(constraint.name().text().toLowerCase(Locale.ROOT))) {
          fragments.duplicate(constraint.at(), "the constraint '" + constraint.name() + "'");
        }
      }
    }
    return constraints;
  }

  private static List<StatementParser.ColumnListElementContext> elements(
      StatementParser.ColumnListContext list) {
    return list == null ? List.of() : list.columnListElement();
  }

  private ColumnDefinition column(StatementParser.ColumnDefinitionContext context) {
    Identifier name = fragments.identifier(context.identifier());
    if (context.columnType() != null && !isConstraint(name, context)) {
      StrayWords.checkType(fragments.tokens(context.columnType()), fragments.problems());
    }
    return new ColumnDefinition(
        name.at(),
        name.text(),
        context.columnType() == null ? "" : fragments.text(context.columnType()),
        context.NOT() != null,
        fragments.optionalText(context.text()));
  }

  /** Whether a misspelled CONSTRAINT made a column of a constraint, which is then reported. */
  private boolean isConstraint(Identifier name, StatementParser.ColumnDefinitionContext context) {
    List<SqlToken> type = fragments.tokens(context.columnType());
    boolean constraint = type.size() > 2 && type.get(1).is("EXPECT");
    if (constraint) {
      fragments.syntax(
          name.at(),
          "found '" + name + "' where CONSTRAINT was expected",
          "Did you mean CONSTRAINT?");
    }
    return constraint;
  }

  private void refuseUntyped(ColumnDefinition column) {
    fragments.syntax(
        column.at(),
        "the column '" + column.name() + "' has no type",
        "Write the type behind the name, for example " + column.name() + " STRING");
  }

  private Constraint constraint(StatementParser.ConstraintContext context) {
    Constraint.Violation violation =
        context.ON() == null
            ? Constraint.Violation.KEEP
            : context.DROP() != null
                ? Constraint.Violation.DROP_ROW
                : Constraint.Violation.FAIL_UPDATE;
    return new Constraint(
        fragments.at(context),
        fragments.identifier(context.identifier()),
        fragments.expression(context.innerExpression()),
        violation);
  }

  Schedule schedule(StatementParser.ScheduleContext context) {
    SourceLocation at = fragments.at(context);
    if (context.CRON() != null) {
      Optional<String> zone =
          context.ZONE() == null ? Optional.empty() : Optional.of(fragments.text(context.text(1)));
      return new Schedule.Cron(at, fragments.text(context.text(0)), zone);
    }
    if (context.TRIGGER() != null) {
      return new Schedule.OnUpdate(
          at, Optional.ofNullable(context.intervalAmount()).map(amount -> interval(context)));
    }
    ChronoUnit unit =
        context.HOUR() != null || context.HOURS() != null
            ? ChronoUnit.HOURS
            : context.DAY() != null || context.DAYS() != null ? ChronoUnit.DAYS : ChronoUnit.WEEKS;
    return new Schedule.Every(
        at, amount(fragments.at(context.NUMBER()), context.NUMBER().getText()), unit);
  }

  private Duration interval(StatementParser.ScheduleContext context) {
    SqlToken token = fragments.token(context.intervalAmount());
    String unit = fragments.token(context.intervalUnit()).upper();
    long amount = amount(token.at(), token.isText() ? token.content() : token.text());
    return switch (unit.charAt(0)) {
      case 'S' -> Duration.ofSeconds(amount);
      case 'M' -> Duration.ofMinutes(amount);
      case 'H' -> Duration.ofHours(amount);
      case 'D' -> Duration.ofDays(amount);
      default -> Duration.ofDays(7 * amount);
    };
  }

  private int amount(SourceLocation at, String text) {
    if (text.matches("[0-9]{1,9}") && Integer.parseInt(text) > 0) {
      return Integer.parseInt(text);
    }
    fragments.syntax(at, "'" + text + "' is not a whole number above 0", "Write for example 1");
    return 1;
  }
}
