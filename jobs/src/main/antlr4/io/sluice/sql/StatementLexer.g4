// Tokens of a pipeline file. Keywords are tokens only so that the statements can be told apart;
// inside queries and expressions every word is passed on as it stands.
lexer grammar StatementLexer;

options { caseInsensitive = true; }

ADD : 'ADD';
ALTER : 'ALTER';
APPLY : 'APPLY';
AS : 'AS';
ASYNC : 'ASYNC';
AT : 'AT';
AUTO : 'AUTO';
BITEMPORAL : 'BITEMPORAL';
BY : 'BY';
CATALOG : 'CATALOG';
CDC : 'CDC';
CHANGES : 'CHANGES';
COLUMNS : 'COLUMNS';
COMMENT : 'COMMENT';
CONSTRAINT : 'CONSTRAINT';
CREATE : 'CREATE';
CRON : 'CRON';
DATABASE : 'DATABASE';
DAY : 'DAY';
DAYS : 'DAYS';
DELETE : 'DELETE';
DROP : 'DROP';
EVERY : 'EVERY';
EXCEPT : 'EXCEPT';
EXISTS : 'EXISTS';
EXPECT : 'EXPECT';
FAIL : 'FAIL';
FLOW : 'FLOW';
FROM : 'FROM';
FULL : 'FULL';
FUNCTION : 'FUNCTION';
HISTORY : 'HISTORY';
HOUR : 'HOUR';
HOURS : 'HOURS';
IF : 'IF';
IGNORE : 'IGNORE';
INSERT : 'INSERT';
INTERVAL : 'INTERVAL';
INTO : 'INTO';
KEYS : 'KEYS';
LIVE : 'LIVE';
MATERIALIZED : 'MATERIALIZED';
MINUTE : 'MINUTE';
MINUTES : 'MINUTES';
MOST : 'MOST';
NAME : 'NAME';
NOT : 'NOT';
NULL : 'NULL';
ON : 'ON';
ONCE : 'ONCE';
OR : 'OR';
PARTITIONED : 'PARTITIONED';
REFRESH : 'REFRESH';
REPLACE : 'REPLACE';
ROW : 'ROW';
SCD : 'SCD';
SCHEDULE : 'SCHEDULE';
SCHEMA : 'SCHEMA';
SECOND : 'SECOND';
SECONDS : 'SECONDS';
SELECT : 'SELECT';
SEQUENCE : 'SEQUENCE';
SET : 'SET';
SNAPSHOT : 'SNAPSHOT';
STORED : 'STORED';
STREAMING : 'STREAMING';
SYNC : 'SYNC';
SYSTEM : 'SYSTEM';
TABLE : 'TABLE';
TBLPROPERTIES : 'TBLPROPERTIES';
TEMPORARY : 'TEMPORARY';
TIME : 'TIME';
TO : 'TO';
TRACK : 'TRACK';
TRIGGER : 'TRIGGER';
TRUNCATE : 'TRUNCATE';
TYPE : 'TYPE';
UPDATE : 'UPDATE';
UPDATES : 'UPDATES';
USE : 'USE';
USING : 'USING';
VALUES : 'VALUES';
VERSION : 'VERSION';
VIEW : 'VIEW';
VIOLATION : 'VIOLATION';
WEEK : 'WEEK';
WEEKS : 'WEEKS';
WHEN : 'WHEN';
WHERE : 'WHERE';
WITH : 'WITH';
ZONE : 'ZONE';

WORD : LETTER (LETTER | [0-9$])*;
// Everything beyond ASCII but its blanks and punctuation; exact Unicode classes cost start-up time.
fragment LETTER
    : [A-Z_\u00AA-\u167F\u1681-\u1FFF\u2070-\u2FFF\u3001-\uFEFE\uFF00-\uFFEF\u{10000}-\u{10FFFF}]
    ;
QUOTED_NAME : '`' (~'`' | '``')+ '`';
STRING : '\'' (~'\'' | '\'\'')* '\'';
DOUBLE_QUOTED : '"' ('\\' . | '""' | ~["\\])* '"';
NUMBER : [0-9]+ ('.' [0-9]*)? EXPONENT? | '.' [0-9]+ EXPONENT?;
fragment EXPONENT : 'E' [+-]? [0-9]+;

SEMICOLON : ';';
OPEN : '(';
CLOSE : ')';
COMMA : ',';
DOT : '.';
EQUAL : '=';
STAR : '*';
MINUS : '-';

HINT : '/*+' .*? '*/';
BLOCK_COMMENT : '/*' .*? '*/' -> skip;
LINE_COMMENT : '--' ~[\r\n]* -> skip;
SPACE : [ \t\r\n\f\u000B\u0085\u00A0\u1680\u2000-\u200B\u2028\u2029\u202F\u205F\u3000\uFEFF]+ -> skip;

// A quote or comment that is never closed swallows the rest of the text.
UNCLOSED
    : ( '\'' (~'\'' | '\'\'')*
      | '"' ('\\' . | '""' | ~["\\])* '\\'?
      | '`' (~'`' | '``')*
      | '/*' (~'*' | '*'+ ~[*/])* '*'*
      ) EOF
    ;

SYMBOL : '=>' | '==' | '!=' | '<>' | '<=' | '>=' | '||' | '::' | '->' | .;
