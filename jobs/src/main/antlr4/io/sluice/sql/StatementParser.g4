// The statements of a pipeline file (semantics section 2). One statement at a time, without its ';'.
// Queries, expressions, sources and types are islands: their first token is matched here, the
// take..() actions of IslandParser consume the rest up to the place where the statement goes on.
parser grammar StatementParser;

options { tokenVocab = StatementLexer; superClass = IslandParser; }

statement
    : ( createStatement
      | changeFlow
      | setStatement
      | useStatement
      | alterStatement
      | refreshStatement
      | dropStatement
      | insertStatement
      | updateStatement
      | deleteStatement
      | query
      ) EOF
    ;

// CREATE TABLE with properties in TBLPROPERTIES or with OR REPLACE; Flink's own form passes through.
ownTableStatement
    : CREATE orWord? TABLE ifNotExists? name=qualifiedName columnList? tableOption* (AS query)? EOF
    ;

createStatement
    : CREATE orWord? TEMPORARY?
      ( STREAMING LIVE? TABLE streamingTable
      | MATERIALIZED VIEW materializedView
      | LIVE (TABLE materializedView | VIEW view)
      | VIEW view
      | FLOW flow
      | flinkObject
      )
    ;

orWord : OR (REFRESH | REPLACE);

ifNotExists : IF NOT EXISTS;

streamingTable
    : ifNotExists? qualifiedName columnList? tableOption* (AS query | FLOW inlineFlow)?
    ;

materializedView : ifNotExists? qualifiedName columnList? tableOption* AS query;

view : ifNotExists? qualifiedName columnList? (COMMENT text)? AS query;

flow : ifNotExists? qualifiedName (COMMENT text)? AS (changeFlow | insertFlow);

flinkObject : (CATALOG | DATABASE | TABLE | SYSTEM? FUNCTION) ifNotExists? qualifiedName .*;

columnList : OPEN columnListElement (COMMA columnListElement)* CLOSE;

columnListElement : constraint | columnDefinition;

columnDefinition : identifier columnType? (NOT NULL)? (COMMENT text)?;

constraint
    : CONSTRAINT identifier EXPECT OPEN innerExpression CLOSE
      (ON VIOLATION (DROP ROW | FAIL UPDATE))?
    ;

tableOption
    : PARTITIONED BY OPEN partitionField (COMMA partitionField)* CLOSE
    | COMMENT text
    | TBLPROPERTIES properties
    | schedule
    ;

partitionField : ~(COMMA | CLOSE) { takeListItem(); };

schedule
    : SCHEDULE REFRESH? EVERY NUMBER (HOUR | HOURS | DAY | DAYS | WEEK | WEEKS)
    | SCHEDULE REFRESH? CRON text (AT TIME ZONE text)?
    | TRIGGER ON UPDATE (AT MOST EVERY INTERVAL intervalAmount intervalUnit)?
    ;

intervalAmount : NUMBER | text;

intervalUnit
    : SECOND | SECONDS | MINUTE | MINUTES | HOUR | HOURS | DAY | DAYS | WEEK | WEEKS
    ;

changeFlow : changeWord ONCE? INTO qualifiedName changeBody;

inlineFlow
    : changeWord ONCE? changeBody
    | INSERT ONCE? (BY NAME)? query
    | replaceWhere
    | replaceUsing
    ;

changeWord : AUTO CDC | APPLY CHANGES;

changeBody : FROM source (WITH VERSION OPEN innerQuery CLOSE)? changeClause*;

changeClause
    : KEYS columnNames                                            # keysClause
    | IGNORE NULL UPDATES (ON columnSelection)?                   # nullUpdatesClause
    | APPLY AS (DELETE | TRUNCATE) WHEN clauseExpression          # conditionClause
    | SYSTEM? SEQUENCE BY clauseExpression                        # sequenceClause
    | COLUMNS TO UPDATE columnName                                # columnsToUpdateClause
    | COLUMNS columnSelection                                     # columnsClause
    | STORED AS (SCD TYPE (NUMBER | BITEMPORAL) | BITEMPORAL)     # storedAsClause
    | TRACK HISTORY ON columnSelection                            # trackHistoryClause
    ;

columnSelection : (STAR | included=columnNames) (EXCEPT excluded=columnNames)?;

columnNames
    : OPEN (columnName (COMMA columnName)*)? CLOSE
    | columnName (COMMA columnName)*
    ;

columnName : identifier (DOT identifier)*;

insertFlow
    : INSERT (ONCE INTO | INTO ONCE?) qualifiedName (BY NAME)? (replaceWhere | replaceUsing | query)
    ;

replaceWhere : REPLACE WHERE replacePredicate (BY NAME)? query;

replaceUsing : REPLACE USING columnNames SEQUENCE BY columnName (BY NAME)? query;

setStatement : SET settingKey EQUAL settingValue;

settingKey : text | identifier ((DOT | MINUS) (identifier | NUMBER))*;

settingValue : .+;

useStatement : USE (CATALOG | SCHEMA | DATABASE)? qualifiedName;

alterStatement
    : ALTER (STREAMING TABLE | MATERIALIZED VIEW) qualifiedName
      ((ADD | ALTER) schedule | DROP SCHEDULE)
    ;

refreshStatement
    : REFRESH (MATERIALIZED VIEW | STREAMING? TABLE) qualifiedName refreshOption*
    ;

refreshOption : FULL | SYNC | ASYNC | WHERE refreshPredicate;

dropStatement
    : DROP (MATERIALIZED? VIEW | STREAMING? TABLE) (IF EXISTS)? qualifiedName
    ;

insertStatement
    : INSERT INTO qualifiedName (BY NAME)? (OPEN columnName (COMMA columnName)* CLOSE)? query
    ;

updateStatement
    : UPDATE qualifiedName SET assignment (COMMA assignment)* (WHERE lastExpression)?
    ;

assignment : columnName EQUAL assignedExpression;

deleteStatement : DELETE FROM qualifiedName (WHERE lastExpression)?;

properties : OPEN property (COMMA property)* CLOSE;

property : settingKey EQUAL propertyValue;

propertyValue : text | MINUS? NUMBER | identifier (DOT identifier)*;

// --- islands

query : (SELECT | WITH | VALUES | TABLE | OPEN) { takeRest(); };

innerQuery : (SELECT | WITH | VALUES | TABLE | OPEN) { takeToClose(); };

innerExpression : ~(COMMA | CLOSE) { takeToClose(); };

columnType : ~(COMMA | CLOSE | NOT | COMMENT) { takeType(); };

source : ~(COMMA | CLOSE) { takeSource(); };

clauseExpression : ~(COMMA | CLOSE) { takeClauseExpression(); };

replacePredicate : ~(COMMA | CLOSE) { takeReplacePredicate(); };

refreshPredicate : ~(COMMA | CLOSE) { takeRefreshPredicate(); };

assignedExpression : ~(COMMA | CLOSE) { takeAssignedExpression(); };

lastExpression : ~(COMMA | CLOSE) { takeRest(); };

// --- names and literals

qualifiedName : identifier (DOT identifier)*;

text : STRING | DOUBLE_QUOTED;

identifier : WORD | QUOTED_NAME | nonReserved;

nonReserved
    : ADD | ALTER | APPLY | ASYNC | AT | AUTO | BITEMPORAL | BY | CATALOG | CDC | CHANGES | COLUMNS
    | COMMENT | CONSTRAINT | CRON | DATABASE | DAY | DAYS | DELETE | DROP | EVERY | EXISTS | EXPECT
    | FAIL | FLOW | FULL | FUNCTION | HISTORY | HOUR | HOURS | IF | IGNORE | INSERT | INTERVAL | KEYS
    | LIVE | MATERIALIZED | MINUTE | MINUTES | MOST | NAME | ONCE | PARTITIONED | REFRESH | REPLACE
    | ROW | SCD | SCHEDULE | SCHEMA | SECOND | SECONDS | SEQUENCE | SNAPSHOT | STORED | STREAMING
    | SYNC | SYSTEM | TBLPROPERTIES | TEMPORARY | TIME | TO | TRACK | TRIGGER | TRUNCATE | TYPE
    | UPDATE | UPDATES | USE | USING | VERSION | VIEW | VIOLATION | WEEK | WEEKS | WHEN | ZONE
    ;
