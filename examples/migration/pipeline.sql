-- The history goes on in a table of ours: seeded once from the legacy table, then kept by changes.

SET 'sluice.pipeline' = 'migration';
SET 'changes' = 'demo/migration/changes';

CREATE TEMPORARY VIEW customer_changes AS
SELECT customer_id, name, city, tier, operation, changed_at
FROM STREAM read_files(
  '${changes}/*.json',
  format => 'json',
  schema => 'customer_id INT, name STRING, city STRING, tier STRING,
             operation STRING, changed_at TIMESTAMP'
);

CREATE OR REFRESH STREAMING TABLE migrated_customers_history;

-- Every row of the legacy table is a change that happened when its period began.
CREATE FLOW migration_seed AS
AUTO CDC ONCE INTO migrated_customers_history
FROM STREAM(legacy.customers_scd2)
KEYS (customer_id)
SEQUENCE BY valid_from
COLUMNS * EXCEPT (valid_from, valid_to)
STORED AS SCD TYPE 2;

CREATE FLOW migration_changes AS
AUTO CDC INTO migrated_customers_history
FROM STREAM(customer_changes)
KEYS (customer_id)
APPLY AS DELETE WHEN operation = 'DELETE'
SEQUENCE BY changed_at
COLUMNS * EXCEPT (operation, changed_at)
STORED AS SCD TYPE 2;
