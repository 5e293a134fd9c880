-- Who has to report what: when it holds, and since when we know it.

SET 'sluice.pipeline' = 'issuers';
SET 'landing' = 'demo/issuers';

CREATE TEMPORARY VIEW issuer_changes AS
SELECT issuer, reporting, operation, holds_from, learned_at
FROM STREAM read_files(
  '${landing}/*.json',
  format => 'json',
  schema => 'issuer STRING, reporting STRING, operation STRING,
             holds_from DATE, learned_at TIMESTAMP'
);

CREATE OR REFRESH STREAMING TABLE issuers;

CREATE FLOW issuer_beliefs AS
AUTO CDC INTO issuers
FROM STREAM(issuer_changes)
KEYS (issuer)
APPLY AS DELETE WHEN operation = 'END'
SEQUENCE BY holds_from
SYSTEM SEQUENCE BY learned_at
COLUMNS (issuer, reporting)
STORED AS BITEMPORAL;
