-- Customers from a change feed: the current state, and the history of city and tier.
-- The feed is a folder of JSON files; each update reads the files that are new since the last one.

SET 'sluice.pipeline' = 'customers';
SET 'landing' = 'demo/customers';

CREATE TEMPORARY VIEW changes AS
SELECT customer_id, name, email, city, tier, operation, changed_at
FROM STREAM read_files(
  '${landing}/*.json',
  format => 'json',
  schema => 'customer_id INT, name STRING, email STRING, city STRING, tier STRING,
             operation STRING, changed_at TIMESTAMP'
);

-- One row per living customer (SCD type 1).
CREATE OR REFRESH STREAMING TABLE customers;

CREATE FLOW customers_now AS
AUTO CDC INTO customers
FROM STREAM(changes)
KEYS (customer_id)
APPLY AS DELETE WHEN operation = 'DELETE'
SEQUENCE BY changed_at
COLUMNS * EXCEPT (operation)
STORED AS SCD TYPE 1;

-- One row per period with the same city and tier (SCD type 2). A new address of e-mail opens no
-- new period; it corrects the period into which it falls.
CREATE OR REFRESH STREAMING TABLE customers_history;

CREATE FLOW customers_periods AS
AUTO CDC INTO customers_history
FROM STREAM(changes)
KEYS (customer_id)
APPLY AS DELETE WHEN operation = 'DELETE'
SEQUENCE BY changed_at
COLUMNS * EXCEPT (operation, changed_at)
STORED AS SCD TYPE 2
TRACK HISTORY ON (city, tier);
