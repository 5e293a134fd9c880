-- What an older program left behind: a history of customers with periods of its own making.

SET 'sluice.pipeline' = 'migration_legacy';
SET 'legacy' = 'examples/migration/legacy';

CREATE OR REFRESH STREAMING TABLE legacy.customers_scd2;

CREATE FLOW legacy_load AS
INSERT INTO ONCE legacy.customers_scd2 BY NAME
SELECT customer_id, name, city, tier, valid_from, valid_to
FROM read_files(
  '${legacy}/*.json',
  format => 'json',
  schema => 'customer_id INT, name STRING, city STRING, tier STRING,
             valid_from TIMESTAMP, valid_to TIMESTAMP'
);
