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

-- The legacy table as changes: every period begins with one, and a deletion ends a period that no
-- other one follows.
CREATE FLOW migration_seed AS
AUTO CDC ONCE INTO migrated_customers_history
FROM STREAM(scd2_changes(TABLE legacy.customers_scd2, valid_from, valid_to, customer_id))
KEYS (customer_id)
APPLY AS DELETE WHEN _change_type = 'delete'
SEQUENCE BY _sequence
COLUMNS * EXCEPT (valid_from, valid_to, _change_type, _sequence)
STORED AS SCD TYPE 2;

CREATE FLOW migration_changes AS
AUTO CDC INTO migrated_customers_history
FROM STREAM(customer_changes)
KEYS (customer_id)
APPLY AS DELETE WHEN operation = 'DELETE'
SEQUENCE BY changed_at
COLUMNS * EXCEPT (operation, changed_at)
STORED AS SCD TYPE 2;
