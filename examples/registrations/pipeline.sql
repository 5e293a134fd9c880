-- The pipeline of pipeline-first.sql, and one flow for each year before it. The flows run once, in
-- the first update that knows them; the incremental flow goes on where it was.

SET 'sluice.pipeline' = 'registrations';
SET 'landing' = 'demo/registrations';
SET 'begin_year' = '2025';

CREATE OR REFRESH STREAMING TABLE registrations_raw;

CREATE FLOW registrations_incremental AS
INSERT INTO registrations_raw BY NAME
SELECT *
FROM STREAM read_files(
  '${landing}/*/*/*',
  format => 'json',
  inferColumnTypes => true,
  maxFilesPerTrigger => 100,
  schemaEvolutionMode => 'addNewColumns',
  modifiedAfter => '2024-12-31T23:59:59.999+00:00'
)
WHERE year(`timestamp`) >= ${begin_year};

CREATE FLOW registrations_backfill_2022 AS
INSERT INTO ONCE registrations_raw BY NAME
SELECT *
FROM read_files(
  '${landing}/year=2022/*/*',
  format => 'json',
  inferColumnTypes => true
);

CREATE FLOW registrations_backfill_2023 AS
INSERT INTO ONCE registrations_raw BY NAME
SELECT *
FROM read_files(
  '${landing}/year=2023/*/*',
  format => 'json',
  inferColumnTypes => true
);

CREATE FLOW registrations_backfill_2024 AS
INSERT INTO ONCE registrations_raw BY NAME
SELECT *
FROM read_files(
  '${landing}/year=2024/*/*',
  format => 'json',
  inferColumnTypes => true
);
