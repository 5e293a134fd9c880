-- Event registrations from 2025 on. What happened before is not wanted yet: modifiedAfter leaves the
-- old files out, and the begin year leaves old rows out that arrive in new files.

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
